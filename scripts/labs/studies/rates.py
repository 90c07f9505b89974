"""Learning rates: every chain chooses one for a kind of training, by what it is worth at a point.

A point is trained at each of several rates; validation chooses, and the chain's other points of the
same kind are trained at what it chose.
"""

from labs.records.names.studies import CHOSEN_RATE, RATES
from labs.records.observations import Observations
from labs.records.packed import unpack
from labs.records.record import Record


def choose(seen: Observations) -> float:
    """Return the rate with the most right answers among the RATES in ``seen``, and keep it there.

    Of several that are equally good it is the lowest.
    """
    right: dict[float, int] = {
        fact["case"]["learning_rate"]: int(unpack(fact["value"]).sum())
        for fact in seen.rows["facts"]
        if fact["arm"] == RATES
    }
    chosen = max(sorted(right), key=lambda rate: right[rate])
    seen.fact(CHOSEN_RATE, chosen, "ratio", RATES)
    return chosen


def chosen_in(part: Record) -> float:
    """Return the rate that the chain of a record has chosen."""
    (rate,) = (fact["value"] for fact in part["facts"] if fact["name"] == CHOSEN_RATE)
    return float(rate)
