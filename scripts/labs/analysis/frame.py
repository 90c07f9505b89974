"""A record's rows as data frames, and the per-process medians that all statistics start from."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.statistics import flags, in_rounds, location, noise_floor, of_ratios, verdict
from labs.records.names.timing import DISTURBED, KEPT_DISTURBED, STEADY, aa_arm
from labs.records.quantity import Estimate, Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case, Fact, Kind


def all_counted(unit: str, numbers: Mapping[str, float]) -> dict[str, Quantity]:
    """Return numbers that were counted, not sampled, as values in a unit."""
    return {name: counted(number, unit) for name, number in numbers.items()}


def rows(record: Record, kind: Kind, **case: Any) -> pd.DataFrame:
    """Return the rows of one kind that match ``case``, with the keys of their cases as columns."""
    return matching(pd.DataFrame([{**row["case"], **row} for row in record[kind]]), **case)


def matching(frame: pd.DataFrame, **case: Any) -> pd.DataFrame:
    """Return the rows that have these values; none where there is no such column."""
    found = np.ones(len(frame), dtype=bool)
    for key, value in case.items():
        found &= np.asarray(frame[key] == value) if key in frame else False
    return frame[found]


def with_interval(column: str, estimate: Estimate) -> Case:
    """Return an estimate as three columns: ``column``, ``column_low`` and ``column_high``."""
    return {column: estimate.value, f"{column}_low": estimate.low, f"{column}_high": estimate.high}


def columns(**values: Quantity) -> Case:
    """Return values as columns, each beside the bounds of its interval."""
    found: Case = {}
    for column, value in values.items():
        found |= with_interval(column, value)
    return found


def gained(speedup: Quantity, floor: float) -> Case:
    """Return a speed-up as columns, with the verdict that it allows above a noise floor."""
    return columns(speedup=speedup) | {"verdict": verdict(speedup, floor)}


class Samples:
    """The samples of a record whose case matches ``case``, selected by quantity, arm and case.

    What each process gave is a series with the processes' numbers as its index: operations on two
    of them join by process.
    """

    def __init__(self, record: Record, **case: Any) -> None:
        self._record, self._case = record, case
        self._frame = rows(record, "samples", **case)

    @property
    def first_stage(self) -> int:
        """How many processes there were before their spread asked for more."""
        return int(self._record["spec"]["processes"])

    def select(self, quantity: str, arm: str, **case: Any) -> pd.DataFrame:
        """Return the matching samples, sorted by process; an empty frame if there are none."""
        frame = matching(self._frame, quantity=quantity, arm=arm, **case)
        return frame.sort_values("process")

    def series(self, quantity: str, arm: str, **case: Any) -> pd.Series:
        """Return each process's times in seconds per call, in the order they were taken."""
        return self.select(quantity, arm, **case).set_index("process")["seconds"]

    def first(self, quantity: str, arm: str, **case: Any) -> pd.Series:
        """Return each process's first time in seconds per call."""
        return self.series(quantity, arm, **case).map(itemgetter(0))

    def steady(self, arm: str, **case: Any) -> pd.Series:
        """Return each process's steady samples of an arm, in seconds per call, by round."""
        return self.series(STEADY, arm, **case)

    def medians(self, arm: str, **case: Any) -> pd.Series:
        """Return each process's median of an arm's steady samples, in seconds per call."""
        return self.steady(arm, **case).map(np.median)

    def time(self, arm: str, **case: Any) -> Quantity:
        """Return the steady time of an arm."""
        return self.location(self.medians(arm, **case), "s")

    def location(self, by_process: pd.Series, unit: str) -> Quantity:
        """Return the location of what each process gave."""
        return Quantity.of(location(by_process, self.first_stage), unit)

    def of_ratios(self, by_process: pd.Series, unit: str = "ratio") -> Quantity:
        """Return the location of what each process gave as a ratio of its times."""
        return Quantity.of(of_ratios(by_process, self.first_stage), unit)

    def speedup(self, baseline: str, arm: str, **case: Any) -> Quantity:
        """Return how many times faster an arm is than the baseline."""
        return self.of_ratios(self.ratios(baseline, arm, **case))

    def share(self, part: str, whole: str, **case: Any) -> Quantity:
        """Return the time of an arm as a share of another's."""
        return self.of_ratios(self.ratios(part, whole, **case), "share")

    def compared(self, **times: pd.Series) -> dict[str, Quantity]:
        """Return the times of two arms, the baseline's first, and how much faster the second is."""
        baseline, arm = times.values()
        located = {name: self.location(one, "s") for name, one in times.items()}
        return located | {"speedup": self.of_ratios(baseline / arm)}

    def ratios(self, numerator: str, denominator: str, **case: Any) -> pd.Series:
        """Return each process's ratio of the times of two arms of one comparison."""
        return paired(self.steady(numerator, **case), self.steady(denominator, **case))

    def flags(self, arm: str, **case: Any) -> str:
        """Return warnings about an arm's steady samples, in words; empty if there are none."""
        steady, disturbed = (
            [second for run in self.series(quantity, arm, **case) for second in run]
            for quantity in (STEADY, DISTURBED)
        )
        found = flags(steady)
        if disturbed:
            found.append(f"{len(disturbed)} of {len(steady) + len(disturbed)} taken again")
        if kept := sum(fact(self._record, KEPT_DISTURBED, arm, **{**self._case, **case})):
            found.append(f"{kept} of {len(steady)} disturbed")
        return ", ".join(found)

    def floor(self, arm: str, **case: Any) -> float:
        """Return the noise floor: how far an arm and its repeat may differ."""
        return noise_floor(self.ratios(arm, aa_arm(arm), **case), self.first_stage)


def paired(numerators: pd.Series, denominators: pd.Series) -> pd.Series:
    """Return each process's ratio of two arms, whose samples are paired by round.

    Raises ValueError where they were not timed in the same processes.
    """
    if not numerators.index.equals(denominators.index):
        of_both = [list(arm.index) for arm in (numerators, denominators)]
        raise ValueError(f"unpaired arms, of the processes {of_both[0]} and {of_both[1]}")
    return pd.Series(in_rounds(numerators, denominators), index=numerators.index)


def processes(record: Record) -> Quantity:
    """Return how many processes a record's samples come from."""
    return counted(len({row["process"] for row in record["samples"]}), "count")


def fact(record: Record, name: str, arm: str, **case: Any) -> list[Any]:
    """Return the values of all facts with this name and arm whose case matches ``case``."""
    return [row["value"] for row in _facts(record, name, arm, case)]


def fact_by_process(record: Record, name: str, arm: str, **case: Any) -> pd.Series:
    """Return what ``fact`` does, where each process has one, as ``Samples`` returns times."""
    return pd.Series({row["process"]: row["value"] for row in _facts(record, name, arm, case)})


def fact_by(record: Record, key: str, name: str, arm: str, **case: Any) -> dict[str, float]:
    """Return what ``fact`` does, as numbers by a key of their cases."""
    return {row["case"][key]: float(row["value"]) for row in _facts(record, name, arm, case)}


def _facts(record: Record, name: str, arm: str, case: Case) -> list[Fact]:
    return [
        row
        for row in record["facts"]
        if row["name"] == name
        and row["arm"] == arm
        and all(row["case"].get(key) == value for key, value in case.items())
    ]
