"""What claims about the mixed-precision searches are judged on: all values, and the test split."""

from functools import cached_property

from labs.analysis.points import Points
from labs.claims.paired import Paired
from labs.experiments.precision.names import TEST


class Tested(Paired):
    """Makes rules about models that were chosen without the test split, on that."""

    @cached_property
    def points(self) -> Points:
        """The answers on the test reviews, by model."""
        return Points(self._record, split=TEST)
