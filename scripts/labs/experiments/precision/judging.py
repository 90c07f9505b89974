"""What claims about the mixed-precision searches are judged on: all values, and the test split."""

from functools import cached_property

from labs.analysis.frame import Value
from labs.analysis.points import Points
from labs.claims.paired import Paired
from labs.experiments.precision.cost import values as cost
from labs.experiments.precision.names import TEST
from labs.experiments.precision.searched import values as searched
from labs.experiments.precision.uniform import values as uniform
from labs.records.record import Record


def values(record: Record) -> dict[str, Value]:
    """Return the values of searches, of models of one format, and of accuracy against bits."""
    return searched.values(record) | uniform.values(record) | cost.values(record)


class Tested(Paired):
    """Makes rules about models that were chosen without the test split, on that."""

    @cached_property
    def points(self) -> Points:
        """The answers on the test reviews, by model."""
        return Points(self._record, split=TEST)
