"""How many processes a comparison takes: the two stages of Stein (Ann. Math. Statist., 1945).

The width of the interval is fixed beforehand: it shall reach no further than the least that
matters. The spread over the first processes says how many more that takes; the interval then has
that first spread, or a larger one over all processes, and keeps its confidence whatever the true
spread is (``labs.analysis.statistics.location``).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from scipy.special import stdtrit

from labs.records.names.intervals import CONFIDENCE, FASTER
from labs.records.names.timing import STEADY, again
from labs.records.rows import Row


def processes_needed(processes: Sequence[dict[str, list[Row]]]) -> int:
    """Return how many processes give every ratio of the arms of a case this width.

    ``processes`` are the rows of those of the first stage, at least two. In each case, every arm is
    compared with the one that was timed twice: the ratio of the process's medians.
    """
    logs = np.array([_log_ratios(rows["samples"]) for rows in processes])
    if logs.shape[1] == 0:
        return len(processes)
    reach = float(stdtrit(len(logs) - 1, (1 + CONFIDENCE) / 2))
    widest = float(logs.std(axis=0, ddof=1).max())
    return max(len(logs), math.ceil((reach * widest / math.log(FASTER)) ** 2))


def _log_ratios(samples: Sequence[Row]) -> list[float]:
    """Return, in a fixed order, the logarithm of each arm's median over its baseline's."""
    medians: dict[str, dict[str, float]] = {}
    for row in samples:
        if row["quantity"] == STEADY:
            case = medians.setdefault(repr(sorted(row["case"].items())), {})
            case[row["arm"]] = math.log(float(np.median(row["seconds"])))
    return [
        case[arm] - case[baseline]
        for _, case in sorted(medians.items())
        for baseline in [_baseline(case)]
        for arm in sorted(case.keys() - {baseline})
    ]


def _baseline(arms: Collection[str]) -> str:
    """Return the arm that was timed twice, for the noise floor; else any, always the same."""
    return min(arms, key=lambda arm: (again(arm) not in arms, arm))
