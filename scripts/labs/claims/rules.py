"""Rules about one record: each is a claim's name, its words, and how it is judged."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Self, TypedDict, TypeVar, Unpack

from labs.analysis.values import Values
from labs.claims.conditions import Conditions
from labs.claims.statement import NOT_RUN, Judge, Rule, Statement
from labs.records.quantity import Quantity, counted
from labs.records.record import MEASURED, Record

T = TypeVar("T")
Test = Callable[[float], bool]


class Published(TypedDict, total=False):
    """The published statements that say the same as a claim, and those that say the opposite."""

    like: tuple[str, ...]
    against: tuple[str, ...]


class Rules:
    """Makes rules about one record and its values, of which one that was not measured has none.

    Claims and values are named without the prefix that they share.
    """

    def __init__(self, record: Record, values: Values, prefix: str, question: str) -> None:
        self.measured = record["status"] == MEASURED
        self._record, self._values = record, values.below(prefix)
        self._prefix, self._question = prefix, question
        self._missing = ""
        self._conditions: Conditions = {}

    def with_prefix(self, name: str) -> Self:
        """Return rules about a part, whose name goes between the prefix and all other names."""
        part = copy(self)
        part._prefix, part._values = f"{self._prefix}.{name}", self._values.below(name)
        return part

    @property
    def device(self) -> str:
        """The device that the record is of."""
        return str(self._record["device"])

    def for_question(self, question: str) -> Self:
        """Return rules that answer another question."""
        other = copy(self)
        other._question = question
        return other

    def at(self, section: str, *settings: str, **points: Any) -> Self:
        """Return rules whose claims hold at these settings of a section of config.yaml.

        They are those of the record's spec, or the given points of a sweep; without a section they
        are a preset's own.  Only what decides a claim belongs here: a statement that was published
        for something else is not contradicted.
        """
        asked = {name: self._record["spec"][name] for name in settings} if self.measured else {}
        found = {
            f"{section}.{name}".lstrip(".").replace("_", "-"): value
            for name, value in (asked | points).items()
        }
        here = copy(self)
        here._conditions = {**self._conditions, **found}
        return here

    def only_if(self, run: bool, what: str = "it") -> Self:
        """Return rules that are judged only where the preset runs what they are about."""
        limited = copy(self)
        limited._missing = "" if run else f"{NOT_RUN} {what}"
        return limited

    def only_with(self, value: str, what: str) -> Self:
        """Return rules that are judged only where the preset runs what gives a value."""
        return self.only_if(value in self._values, what)

    def spec_values(self, setting: str, everything: Sequence[T]) -> Sequence[T]:
        """Return which of these things the record was asked to measure; unmeasured, all of them."""
        found: Sequence[T] = self._record["spec"][setting] if self.measured else everything
        return found

    def value(self, name: str) -> Quantity:
        """Return a value of the record."""
        return self._values[name]

    def number(self, of: float | str) -> float:
        """Return the number of a value, given by its name; a number is returned as it is."""
        return self.value(of).value if isinstance(of, str) else of

    def ratio(self, name: str, other: str, unit: str = "ratio") -> Quantity:
        """Return one counted value over another."""
        return counted(self.number(name) / self.number(other), unit)

    def rule(self, short: str, words: str, judge: Judge, **published: Unpack[Published]) -> Rule:
        """Return a rule; ``judge`` returns the statement with its verdict."""
        name, device = f"{self._prefix}.{short}", self._record["device"]
        statement = Statement(
            name, self._question, device, words, conditions=self._conditions, **published
        )
        return Rule(statement, judge, self._missing)

    def faster(self, speedup: str, floor: str = "noise_floor") -> Judge:
        """Judge that a speed-up is a gain that matters, beyond the noise floor."""
        return lambda s: s.faster(self.value(speedup), self.number(floor))

    def exceeds(self, value: str, limit: float | str) -> Judge:
        """Judge that a value lies above a limit, a number or another value."""
        return lambda s: s.exceeds(self.value(value), self.number(limit))

    def at_most(self, value: str, limit: float | str) -> Judge:
        """Judge that a value lies below a limit, a number or another value, or on it."""
        return lambda s: s.at_most(self.value(value), self.number(limit))

    def superior(self, gain: str) -> Judge:
        """Judge that a difference of shares is a gain that matters."""
        return lambda s: s.superior(self.value(gain))

    def non_inferior(self, cost: str) -> Judge:
        """Judge that something is as accurate, given what it costs in accuracy."""
        return lambda s: s.non_inferior(self.value(cost))

    def equivalent(self, gain: str) -> Judge:
        """Judge that there is no difference of accuracies that matters."""
        return lambda s: s.equivalent(self.value(gain))

    def within(self, value: str, margin: float) -> Judge:
        """Judge that a value is nearer to 0 than a margin."""
        return lambda s: s.within(self.value(value), margin)

    def equals(self, value: str, other: float | str) -> Judge:
        """Judge that something counted is exactly a number or another value."""
        return lambda s: s.equals(self.value(value), self.number(other))

    def counts_none(self, value: str) -> Judge:
        """Judge that nothing was counted."""
        return self.equals(value, 0)

    def counts_any(self, value: str) -> Judge:
        """Judge that something was counted."""
        return self.exceeds(value, 0)

    def holds(self, value: str, test: Test) -> Judge:
        """Judge that something counted passes a test, which is given its number."""
        return lambda s: s.holds(self.value(value), test(self.number(value)))
