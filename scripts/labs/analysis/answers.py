"""Which reviews a model judged right, read back from a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.frame import Value, fact
from labs.records.answers import Correct, unpack
from labs.records.record import Record


def answers(record: Record, arm: str, **case: Any) -> Correct:
    """Return an arm's right and wrong answers: (replicates, reviews) booleans."""
    return np.stack([unpack(text) for text in fact(record, "correct", arm, **case)])


def accuracy_of(record: Record, arm: str, **case: Any) -> Value:
    """Return an arm's accuracy, the mean over its replicates."""
    return Value(accuracy(answers(record, arm, **case)), "share")


def gain(record: Record, first: str, second: str, **case: Any) -> Value:
    """Return how much more accurate the first arm is than the second, paired by review."""
    pairs = (answers(record, arm, **case) for arm in (first, second))
    return Value(difference(*pairs), "share")


def gains_by_seed(record: Record, first: str, second: str, **case: Any) -> list[float]:
    """Return the same for each replicate on its own."""
    means = (answers(record, arm, **case).mean(axis=1) for arm in (first, second))
    return list(np.subtract(*means))
