"""What differs between the accepted run and another: around the numbers, in claims and in values.

A value that was measured in each run has a 95 % interval in each. The halves that face each other,
on the logarithmic scale for times, rates and ratios, give the standard errors of Welch's test.
Intervals of times allow for how runs of one machine differ, not for how machines do. Two runs may
judge the same reviews: then the test is careful. Where one run's spread is ten times the other's,
and each has three processes, it is not: its smallest probabilities are several times too small.

Of values that did not move, one in twenty is outside its intervals by chance alone. So those that
count as moved are those of Benjamini and Hochberg (1995): of what is listed, at most one in twenty
is expected to be chance. That holds for values that are independent or rise and fall together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from labs.claims.claim import Claim
from labs.records.names.intervals import CONFIDENCE
from reporting import ReportError
from reporting.comparison.run import CODE, MACHINE, SAMPLES, Run

FALSE_DISCOVERIES = 1 - CONFIDENCE
"""The share of chance findings that is expected at most in what is listed as moved."""

LOGARITHMIC = ("s", "bytes/s", "flop/s", "op/s", "ratio")
"""The units whose values are compared by their quotient."""

MOVED, NOISE, DIFFERS, SAME = "moved", "within its noise", "differs", "same"
NEW, GONE, NOT_COMPARED = "new", "gone", "not compared"
NUMBERS = ["value", "low", "high"]
NOTHING = "–"

MOMENTARY = (
    *("started", "measured", "SLURM jobs", "highest load average around a process"),
    *("GPU sm_clock_mhz", "GPU memory_clock_mhz", "GPU power_watts", "GPU temperature_celsius"),
    "GPU clock_events",
)
"""What is said of a machine that is never the same twice."""


def differences(old: Run, new: Run) -> list[tuple[str, str, str, str]]:
    """Return the facts that differ: name, old, new, and where, which may be several places.

    Settings are those of records that both runs have measured. Of samples and files it is said
    that they differ: nobody reads a digest.
    """
    places = defaultdict(list)
    for where in (name for name in new.facts if name in old.facts):
        before, after = old.facts[where], new.facts[where]
        for what in dict.fromkeys([*before, *after]):
            was, now = before.get(what, NOTHING), after.get(what, NOTHING)
            if was == now or (where == MACHINE and what in MOMENTARY):
                continue
            if where in (SAMPLES, CODE):
                words = {was: "as accepted", now: "new"} | {NOTHING: NOTHING}
                places[where, words[was], words[now]].append(what)
            else:
                places[what, was, now].append(where)
    return [(*fact, "; ".join(names)) for fact, names in places.items()]


def claims(old: Run, new: Run) -> list[tuple[Claim | None, Claim | None]]:
    """Return the claims whose verdict changed, or which only one run has, as each run has them."""
    before, after = (
        {claim.anchor: claim for claim in map(Claim.read, run.claims)} for run in (old, new)
    )
    pairs = [(before.get(key), after.get(key)) for key in dict.fromkeys([*after, *before])]
    return [(a, b) for a, b in pairs if not (a and b and a.verdict == b.verdict)]


def became(claim: Claim, values: pd.DataFrame, change: pd.Series[str]) -> str:
    """Return what became of the value that a claim was judged on, or nothing if it had no noise.

    ``values`` are those of the claim's run.
    """
    if not claim.estimate:
        return ""
    numbers = np.array([getattr(claim.estimate, name) for name in NUMBERS], dtype=float)
    is_it = (values["evidence"] == claim.evidence) & (values[NUMBERS] == numbers).all(axis=1)
    kinds = set(change[values.index[is_it]])
    return MOVED if MOVED in kinds else NOISE if NOISE in kinds else ""


def values(run: Run) -> pd.DataFrame:
    """Return a run's values by name. Raises ReportError for a table that lacks what is compared."""
    columns = ["name", *NUMBERS, "freedom", "unit", "evidence"]
    frame = pd.DataFrame(run.values, columns=columns)
    if lacking := ", ".join(frame.columns[frame.isna().any()]):
        raise ReportError(f"values of a run lack {lacking}: run make report, then make accept")
    numbers = frame[[*NUMBERS, "freedom"]].replace("", "nan").astype(float)
    return frame.assign(**numbers).set_index("name")


def compare(
    old: pd.DataFrame, new: pd.DataFrame, same_records: Collection[str] = ()
) -> pd.DataFrame:
    """Return, by name, the ``change`` of each value of either run, and the ``chance`` of a
    difference that was tested, the least likely first.

    A value without an interval was counted, or says nothing of its noise, and is compared exactly.
    So is one of ``same_records``, which were not measured again: no chance lies between two
    readings of the same samples.
    """
    old, new = old.align(new, axis=0)
    before, after = (run[NUMBERS].to_numpy(dtype=float) for run in (old, new))
    lacks_old, lacks_new = np.isnan(before), np.isnan(after)
    has_old, has_new = ~lacks_old[:, 1], ~lacks_new[:, 1]
    unit, evidence = new["unit"], new["evidence"]
    is_same_record = (old["evidence"] == evidence) & evidence.isin(same_records)
    is_exact = is_same_record | ~(has_old | has_new)
    is_equal = ((before == after) | (lacks_old & lacks_new)).all(axis=1)
    reaches_zero = unit.isin(LOGARITHMIC) & ((before[:, 1] <= 0) | (after[:, 1] <= 0))
    cases = {
        GONE: unit.isna(),
        NEW: old["unit"].isna(),
        NOT_COMPARED: (old["unit"] != unit) | ~is_exact & ((has_old != has_new) | reaches_zero),
        SAME: is_exact & is_equal,
        DIFFERS: is_exact,
    }
    change = np.select(list(cases.values()), list(cases), NOISE)
    chance = np.full(len(change), np.nan)
    is_tested = change == NOISE
    chance[is_tested] = chances(old[is_tested], new[is_tested])
    adjusted = stats.false_discovery_control(chance[is_tested])
    change[is_tested] = np.where(adjusted <= FALSE_DISCOVERIES, MOVED, NOISE)
    changes = pd.DataFrame({"change": change, "chance": chance}, index=old.index)
    return changes.sort_values("chance", kind="stable")


def chances(old: pd.DataFrame, new: pd.DataFrame) -> NDArray[np.float64]:
    """Return the probability of differences this large if only chance lay between two runs.

    It is the same in both directions.
    """
    before, after = (run[NUMBERS].to_numpy(dtype=float, copy=True).T for run in (old, new))
    for numbers in (before, after):
        np.log(numbers, out=numbers, where=new["unit"].isin(LOGARITHMIC).to_numpy())
    rises = after[0] > before[0]
    samples: list[NDArray[np.float64]] = []
    for (value, low, high), is_lower, run in ((before, rises, old), (after, ~rises, new)):
        half = np.where(is_lower, high - value, value - low).clip(min=0)
        # A sample of a milliard is as good as one without end, which the test cannot take.
        size = run["freedom"].to_numpy(dtype=float).clip(max=1e9) + 1
        error = half / stats.t.ppf((1 + CONFIDENCE) / 2, size - 1)
        samples += [value, error * np.sqrt(size), size]
    test = stats.ttest_ind_from_stats(*samples, equal_var=False)
    return np.where(before[0] == after[0], 1.0, test.pvalue)
