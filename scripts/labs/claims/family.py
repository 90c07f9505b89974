"""Claims that are one comparison at several settings, and so are decided together."""

from collections.abc import Callable
from functools import cached_property

from labs.analysis.families import Significance, significance_in_family
from labs.claims.claim import Claim
from labs.claims.statement import Statement
from labs.records.quantity import Quantity


class Family:
    """Differences of accuracies by name; they are computed when one is first judged."""

    def __init__(self, differences: Callable[[], dict[str, Quantity]]) -> None:
        self._differences = differences

    def superior(self, statement: Statement, name: str) -> Claim:
        """Return the claim that the difference with this name is above zero."""
        return statement.superior(self._values[name], self._shown[name])

    def non_inferior(self, statement: Statement, name: str) -> Claim:
        """Return the claim that what the difference with this name costs does not matter."""
        return statement.non_inferior(self._values[name], self._shown[name])

    @cached_property
    def _values(self) -> dict[str, Quantity]:
        return self._differences()

    @cached_property
    def _shown(self) -> dict[str, Significance]:
        return significance_in_family(self._values)
