"""How many processes a comparison takes: the two stages of Stein (Ann. Math. Statist., 1945).

The width of the interval is fixed beforehand: with the allowance for how runs differ, it shall
reach no further than the least that matters. The spread over the first processes says how many more
that takes. The interval uses the first stage's spread, or that of all processes if it is larger, so
that its confidence does not depend on the true spread (``labs.analysis.statistics.within_run``).
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from labs.records.names.intervals import CONFIDENCE, FASTER, RATIOS_BETWEEN_RUNS
from labs.records.names.timing import STEADY, aa_arm
from labs.records.rows import Case, Rows, Sample
from labs.records.timing import log_ratio

LEVEL = (1 + CONFIDENCE) / 2

REACH = math.sqrt(math.log(FASTER) ** 2 - (float(ndtri(LEVEL)) * RATIOS_BETWEEN_RUNS) ** 2)
"""How far the processes may let an interval reach, as a logarithm: what the allowance for how runs
differ leaves of the least that matters. An interval that reached that far by its processes alone
could never show that two arms are the same."""

Arm = tuple[str, ...]
"""An arm's name, and the values of the keys across which cases are compared."""


@dataclass(frozen=True)
class Need:
    """How many processes a case needs for every ratio of its arms to have this width."""

    case: Case
    processes: int


def needs(processes: Sequence[Rows], across: Sequence[str] = ()) -> list[Need]:
    """Return what each case needs, in the order in which the first process timed them.

    ``processes`` are the rows of those of the first stage, at least two, of which each timed the
    same. In each case, every arm is compared with the one that was timed twice: by the median over
    rounds of the ratio of their samples. Cases that differ in the keys ``across`` alone are
    compared, too: they are one, and their arms are its arms.
    """
    steady = [_steady(rows["samples"], across) for rows in processes]
    cases = [_split(row, across)[0] for row in processes[0]["samples"] if row["quantity"] == STEADY]
    unique = {_key(case): case for case in cases}
    return [Need(case, _needed([arms[key] for arms in steady])) for key, case in unique.items()]


def _needed(processes: Sequence[dict[Arm, list[float]]]) -> int:
    """Return how many processes a case needs, by its arms' samples."""
    baseline = _baseline(processes[0])
    arms = sorted(processes[0].keys() - {baseline})
    if not arms:
        return len(processes)
    ratios = np.array([[log_ratio(of[arm], of[baseline]) for arm in arms] for of in processes])
    widest = float(ratios.std(axis=0, ddof=1).max())
    quantile = float(stdtrit(len(processes) - 1, LEVEL))
    return max(len(processes), math.ceil((quantile * widest / REACH) ** 2))


def _steady(samples: Sequence[Sample], across: Sequence[str]) -> dict[str, dict[Arm, list[float]]]:
    """Return the steady samples of each case's arms, by round."""
    found: dict[str, dict[Arm, list[float]]] = {}
    for row in samples:
        if row["quantity"] == STEADY:
            case, arm = _split(row, across)
            found.setdefault(_key(case), {})[arm] = row["seconds"]
    return found


def _split(row: Sample, across: Sequence[str]) -> tuple[Case, Arm]:
    """Return a row's case without the keys ``across``, and its arm with their values."""
    case = {key: value for key, value in row["case"].items() if key not in across}
    return case, (row["arm"], *(str(row["case"].get(key)) for key in across))


def _key(case: Case) -> str:
    return repr(sorted(case.items()))


def _baseline(arms: Collection[Arm]) -> Arm:
    """Return the arm that was timed twice, for the noise floor; else any, always the same."""
    return min(arms, key=lambda arm: ((aa_arm(arm[0]), *arm[1:]) not in arms, arm))
