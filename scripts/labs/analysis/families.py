"""What differences of accuracies show: each alone, or those of one family together.

Of each difference two things are tested, both at 5 %: that it is not zero, and that it is nearer to
zero than a point (two one-sided tests: Schuirmann, 1987). The null hypotheses of the two exclude
each other, so that of one comparison at most one can be rejected falsely.

A family is one comparison at several settings. Holm's step-down procedure (1979) then keeps the
probability of any false difference at 5 %, and so that of any false "no difference". It is run once
for each test: if one run ordered both, every "no difference" would make it easier to find a
difference among the rest, and with eighteen equal pairs one is found in up to a fifth of the cases.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.special import ndtr, stdtr

from labs.analysis.statistics import standard_error
from labs.records.names.intervals import CONFIDENCE, POINT
from labs.records.quantity import Estimate

ERROR = 1 - CONFIDENCE
"""How often each test may reject falsely."""


@dataclass(frozen=True)
class Significance:
    """What is shown of a difference: on which side of zero it lies, and that it does not matter.

    ``same`` is to be nearer to zero than a point; ``at_most`` to be less than a point above zero.
    """

    above: bool
    below: bool
    same: bool
    at_most: bool


def significance(difference: Estimate) -> Significance:
    """Return what the interval of a single difference shows."""
    return significance_in_family({"": difference})[""]


def significance_in_family(differences: Mapping[str, Estimate]) -> dict[str, Significance]:
    """Return what is shown of each difference of a family, by its name."""
    found = list(differences.values())
    different = _rejected([_different(one) for one in found])
    same = _rejected([max(_below(one), _below(_negative(one))) for one in found])
    at_most = _rejected([_below(one) for one in found])
    return {
        name: Significance(
            above=different[place] and _middle(one) > 0,
            below=different[place] and _middle(one) < 0,
            same=same[place],
            at_most=at_most[place],
        )
        for place, (name, one) in enumerate(differences.items())
    }


def holm(probabilities: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's step-down procedure, in the order they were given."""
    number, least = len(probabilities), 0.0
    adjusted = [1.0] * number
    for step, place in enumerate(sorted(range(number), key=lambda one: probabilities[one])):
        least = max(least, (number - step) * probabilities[place])
        adjusted[place] = min(1.0, least)
    return adjusted


def _rejected(probabilities: Sequence[float]) -> list[bool]:
    return [p <= ERROR for p in holm(probabilities)]


def _different(one: Estimate) -> float:
    """Return the p-value of a difference being zero, two-sided."""
    return 2 * min(_tail(one, 0.0), _tail(_negative(one), 0.0))


def _below(one: Estimate) -> float:
    """Return the p-value of a difference being a point or more, one-sided."""
    return _tail(one, POINT)


def _tail(one: Estimate, limit: float) -> float:
    """Return how probable an estimate this far below a limit is where the truth is the limit."""
    error = standard_error(one)
    if error == 0:
        return float(_middle(one) >= limit)
    statistic = (_middle(one) - limit) / error
    infinite = math.isinf(one.freedom)
    return float(ndtr(statistic) if infinite else stdtr(one.freedom, statistic))


def _middle(one: Estimate) -> float:
    """Return the middle of an interval, which may lie beside the estimate."""
    return (one.low + one.high) / 2


def _negative(one: Estimate) -> Estimate:
    return Estimate(-one.value, -one.high, -one.low, one.freedom)
