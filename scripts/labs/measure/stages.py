"""How many processes a comparison takes: the two stages of Stein (Ann. Math. Statist., 1945).

The width of the interval is fixed beforehand: it shall reach no further than the least that
matters. The spread over the first processes says how many more that takes; the interval then has
that first spread, or a larger one over all processes, and keeps its confidence whatever the true
spread is (``labs.analysis.statistics.within_run``).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from labs.records.names.intervals import CONFIDENCE, FASTER
from labs.records.names.timing import STEADY, again
from labs.records.rows import Row


@dataclass(frozen=True)
class Need:
    """How many processes a case needs for every ratio of its arms to have this width."""

    case: dict[str, Any]
    processes: int


def needs(processes: Sequence[dict[str, list[Row]]]) -> list[Need]:
    """Return what each case needs, in the order in which the first process timed them.

    ``processes`` are the rows of those of the first stage, at least two, of which each timed the
    same. In each case, every arm is compared with the one that was timed twice: the ratio of the
    process's medians.
    """
    medians = [_log_medians(rows["samples"]) for rows in processes]
    cases = [row["case"] for row in processes[0]["samples"] if row["quantity"] == STEADY]
    unique = {_key(case): case for case in cases}
    return [Need(case, _needed([arms[key] for arms in medians])) for key, case in unique.items()]


def _needed(processes: Sequence[dict[str, float]]) -> int:
    """Return how many processes a case needs, by the logarithms of its arms' medians."""
    baseline = _baseline(processes[0])
    arms = sorted(processes[0].keys() - {baseline})
    if not arms:
        return len(processes)
    ratios = np.array([[arm_of[arm] - arm_of[baseline] for arm in arms] for arm_of in processes])
    reach = float(stdtrit(len(processes) - 1, (1 + CONFIDENCE) / 2))
    widest = float(ratios.std(axis=0, ddof=1).max())
    return max(len(processes), math.ceil((reach * widest / math.log(FASTER)) ** 2))


def _log_medians(samples: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return the logarithm of the median of each case's arms."""
    found: dict[str, dict[str, float]] = {}
    for row in samples:
        if row["quantity"] == STEADY:
            case = found.setdefault(_key(row["case"]), {})
            case[row["arm"]] = math.log(float(np.median(row["seconds"])))
    return found


def _key(case: dict[str, Any]) -> str:
    return repr(sorted(case.items()))


def _baseline(arms: Collection[str]) -> str:
    """Return the arm that was timed twice, for the noise floor; else any, always the same."""
    return min(arms, key=lambda arm: (again(arm) not in arms, arm))
