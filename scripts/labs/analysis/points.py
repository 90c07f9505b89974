"""Which reviews were judged right, by every replicate of every point: where accuracies come from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.frame import Value, rows, with_interval
from labs.measure.accuracy import Correct, accuracy, difference, unpack
from labs.records import Record

Cell = dict[str, Any]


class Answers:
    """The answers of a record, asked for by split and case: (replicates, reviews) booleans."""

    def __init__(self, record: Record, split: str = "validation") -> None:
        facts = rows(record, "facts")
        self._frame = facts[(facts["name"] == "correct") & (facts["split"] == split)]

    def of(self, **case: Any) -> Correct:
        """Return the answers of a point, one row a replicate; no rows when it was not run."""
        found = self._frame
        for key, value in case.items():
            found = found[found[key] == value] if key in found else found.iloc[0:0]
        found = found.sort_values("process").drop_duplicates("process")
        return np.array([unpack(packed) for packed in found["value"]], dtype=bool)

    def accuracy(self, **case: Any) -> Value:
        """Return the share of right answers of a point."""
        return Value(accuracy(self.of(**case)), "share")

    def difference(self, first: Cell, second: Cell) -> Value:
        """Return how much more often the first point is right, paired by review and replicate.

        A point without replicates of its own (PTQ draws nothing) is compared with each of the
        other's.
        """
        return Value(difference(*self.pair(first, second)), "share")

    def pair(self, first: Cell, second: Cell) -> tuple[Correct, Correct]:
        """Return the answers of both points, of equal shape."""
        one, other = np.broadcast_arrays(self.of(**first), self.of(**second))
        return one, other

    def agree(self, first: Cell, second: Cell, limit: float) -> bool:
        """Return whether in all replicates the difference lies on the same side of a limit."""
        one, other = self.pair(first, second)
        above = one.mean(axis=1) - other.mean(axis=1) > limit
        return bool(above.all() or not above.any())

    def points(self, keys: list[str]) -> pd.DataFrame:
        """Return one row a point, told apart by ``keys``: them, and the accuracy with interval."""
        points = self._frame[keys].drop_duplicates().to_dict("records")
        table = [{**point, **with_interval("accuracy", self._estimate(point))} for point in points]
        return pd.DataFrame(table)

    def replicates(self, keys: list[str]) -> pd.DataFrame:
        """Return one row a point and replicate: the keys, the replicate, and its accuracy."""
        table = self._frame[[*keys, "process"]].rename(columns={"process": "replicate"})
        right = [unpack(packed).mean() for packed in self._frame["value"]]
        return table.assign(accuracy=right).reset_index(drop=True)

    def _estimate(self, point: Cell) -> Any:
        return accuracy(self.of(**{key: x for key, x in point.items() if not pd.isna(x)}))
