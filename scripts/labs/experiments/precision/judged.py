"""The models that the mixed-precision record holds: their answers, loss, formats and bits."""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.frame import Value, matching
from labs.analysis.points import seed_scatter
from labs.analysis.seeds import Answers, Scatter
from labs.analysis.statistics import Estimate
from labs.experiments.compression.quantization.names import FLOAT32
from labs.experiments.precision.names import TRIALS, UNIFORM
from labs.records.answers import Correct, unpack
from labs.records.record import Record

Case = dict[str, Any]

BASELINE: Case = {"arm": UNIFORM, "spelled": FLOAT32}
"""The base model as it is."""

FACTS = ("correct", "loss", "bits", "formats")


class Judged:
    """One row per model and set of reviews it was judged on, by replicate."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._answers: dict[tuple[str, tuple[tuple[str, Any], ...]], Correct] = {}
        found: dict[tuple[int, str, str], Case] = {}
        for fact in record["facts"]:
            if fact["name"] in FACTS:
                place = fact["process"], fact["arm"], json.dumps(fact["case"], sort_keys=True)
                row = {"replicate": fact["process"], "arm": fact["arm"], **fact["case"]}
                found.setdefault(place, row)[fact["name"]] = fact["value"]
        self.frame = pd.DataFrame([row for row in found.values() if "correct" in row])

    def rows(self, **case: Any) -> pd.DataFrame:
        """Return the models that match ``case``, by replicate."""
        return matching(self.frame, **case).sort_values("replicate")

    def has(self, split: str, case: Case) -> bool:
        """Return whether there is such a model on these reviews."""
        return not self.rows(split=split, **case).empty

    def answers(self, split: str, case: Case) -> Correct:
        """Return a model's right answers on some reviews: (replicates, reviews) booleans."""
        model = split, tuple(case.items())
        if model not in self._answers:
            found = self.rows(split=split, **case)["correct"]
            self._answers[model] = np.stack([unpack(text) for text in found])
        return self._answers[model]

    def accuracy(self, split: str, case: Case) -> Value:
        """Return a model's accuracy on some reviews."""
        return Value(accuracy(self.answers(split, case)), "share")

    def gain(self, split: str, first: Case, second: Case) -> Value:
        """Return how much more accurate the first model is, paired by review.

        The interval is over the reviews; where searches ran with several seeds, over seeds as well.
        """
        return Value(self.mean_gain(split, [first], [second]), "share")

    def mean_gain(self, split: str, first: Sequence[Case], second: Sequence[Case]) -> Estimate:
        """Return the mean gain of several first models over as many second ones."""
        return difference(*self._pair(split, first, second), self.seeds)

    @cached_property
    def seeds(self) -> Scatter | None:
        """How far another seed of a search moves the accuracy of what it finds."""
        return seed_scatter(self._record)

    def mean(self, column: str, **case: Any) -> float:
        """Return the mean of a column over the replicates of a model."""
        return float(self.rows(**case)[column].mean(skipna=False))

    def _pair(
        self, split: str, first: Sequence[Case], second: Sequence[Case]
    ) -> tuple[Answers, Answers]:
        """Return the share of the first and of the second models that are right, by replicate.

        A single replicate is repeated.
        """
        found = [[self.answers(split, case) for case in cases] for cases in (first, second)]
        number = max(len(answers) for cases in found for answers in cases)
        one, other = (
            np.mean([np.broadcast_to(a, (number, a.shape[1])) for a in cases], axis=0)
            for cases in found
        )
        return one, other


def winner(study: str) -> Case:
    """Return the model that a search chose."""
    return {"arm": study, "role": "winner"}


def uniform(spelled: str) -> Case:
    """Return the model with one format in all layers."""
    return {"arm": UNIFORM, "spelled": spelled}


def trials(judged: Judged, study: str) -> pd.DataFrame:
    """Return one row per replicate and trial of a search, in order, with accuracy."""
    found = judged.rows(arm=study, role="trial", split=TRIALS).copy()
    found["accuracy"] = [float(unpack(text).mean()) for text in found["correct"]]
    return found.sort_values(["replicate", "trial"], ignore_index=True)
