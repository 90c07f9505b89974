"""The points of curves: which reviews each replicate of a point classified correctly."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.frame import columns, matching, rows
from labs.analysis.values import Part
from labs.records.packed import unpack
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import MASK, Case

CHOOSING, READING = slice(0, None, 2), slice(1, None, 2)
"""Every other review chooses the best of several; the rest say how good it is. On the reviews that
chose it, the best of equal ones would lead by chance."""


class Points:
    """The answers of the points of a record that match ``case``, on the slice ``reviews``."""

    def __init__(self, record: Record, reviews: slice = slice(None), **case: Any) -> None:
        self._experiment = record["experiment"]
        self._reviews = reviews
        self._frame = rows(record, "facts", name="correct", **case).sort_values("process")
        self._answers: dict[tuple[tuple[str, Any], ...], NDArray[np.float64]] = {}

    def has(self, case: Case) -> bool:
        """Return whether a point was run."""
        return not matching(self._frame, **case).empty

    def answers(self, case: Case) -> NDArray[np.float64]:
        """Return which answers of a point are correct: (replicates, reviews) of zeros and ones.

        Where a replicate has several random masks, it is the share of them that are correct.
        """
        point = tuple(case.items())
        if point not in self._answers:
            self._answers[point] = np.stack([one for _, one in self._by_replicate(case)])
        return self._answers[point]

    def accuracy(self, case: Case) -> Quantity:
        """Return the accuracy of a point, the mean over its replicates."""
        return Quantity.of(accuracy(self.answers(case)), "share")

    def chains(self, case: Case) -> dict[str, Quantity]:
        """Return the least and the largest accuracy of a point's replicates."""
        each = self.answers(case).mean(axis=1)
        return {"least": counted(each.min(), "share"), "most": counted(each.max(), "share")}

    def gain(self, first: Case, second: Case) -> Quantity:
        """Return how much more accurate the first point is, paired by review.

        The interval is over reviews and, where there are several, over replicates.
        """
        found = difference(self.answers(first), self.answers(second), self._experiment)
        return Quantity.of(found, "points")

    def loss(self, first: Case, second: Case) -> Quantity:
        """Return how much less accurate the second point is, as ``gain`` does."""
        return self.gain(first, second).as_loss()

    def gains(self, pairs: Mapping[str, tuple[Case, Case]]) -> dict[Part, Quantity]:
        """Return the gains of pairs of points, by name, where both were run."""
        return {name: self.gain(*pair) for name, pair in pairs.items() if all(map(self.has, pair))}

    def losses(self, pairs: Mapping[str, tuple[Case, Case]]) -> dict[Part, Quantity]:
        """Return the losses of pairs of points, by name, where both were run."""
        return {name: gain.as_loss() for name, gain in self.gains(pairs).items()}

    def cases(self, keys: list[str]) -> list[Case]:
        """Return the points that have all of these ``keys``, identified by them."""
        cases: list[Any] = self._frame[keys].dropna().drop_duplicates().to_dict("records")
        return cases

    def table(
        self, keys: list[str], accuracy: Callable[[Case], Quantity] | None = None
    ) -> pd.DataFrame:
        """Return one row per point, identified by ``keys``: its accuracy with interval."""
        accuracy = accuracy or self.accuracy
        return pd.DataFrame(point | columns(accuracy=accuracy(point)) for point in self.cases(keys))

    def replicates(self, keys: list[str]) -> pd.DataFrame:
        """Return one row per point and replicate: its accuracy."""
        return pd.DataFrame(
            {**point, "replicate": replicate, "accuracy": answers.mean()}
            for point in self.cases(keys)
            for replicate, answers in self._by_replicate(point)
        )

    def _by_replicate(self, case: Case) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yield each replicate of a point and its answers, the mean over its masks."""
        found = matching(self._frame, **case)
        masks = found[MASK].fillna(-1) if MASK in found else [-1] * len(found)
        kept: dict[int, dict[Any, str]] = defaultdict(dict)
        for replicate, mask, packed in zip(found["process"], masks, found["value"], strict=True):
            kept[replicate].setdefault(mask, packed)
        for replicate, each in kept.items():
            yield replicate, np.mean([unpack(one)[self._reviews] for one in each.values()], axis=0)


def described(
    record: Record,
    keys: list[str],
    facts: Mapping[str, str],
    accuracy: Callable[[Case], Quantity] | None = None,
    **case: Any,
) -> pd.DataFrame:
    """Return one row per point: its validation accuracy, and the mean of each fact as a column.

    It is NaN where one of them is no number: a training diverged. ``accuracy`` returns what was
    computed of a point before.
    """
    table = Points(record, split="validation", **case).table(keys, accuracy)
    for name, column in facts.items():
        found = rows(record, "facts", name=name, **case).astype({"value": float})
        means = found.groupby(keys)["value"].agg(lambda each: each.mean(skipna=False))
        means = means.rename(column)
        table = table.merge(means, how="left", on=keys)
    return table


def chosen(record: Record, keys: list[str]) -> pd.DataFrame:
    """Return one row per tested point and replicate: its accuracy on both splits."""
    validation, test = (
        Points(record, split=split).replicates(keys).rename(columns={"accuracy": split})
        for split in ("validation", "test")
    )
    return validation.merge(test, on=[*keys, "replicate"])
