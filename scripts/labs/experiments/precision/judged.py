"""The models that the mixed-precision record holds: their answers, loss, formats and bits."""

import json
from functools import cached_property
from typing import Any

import pandas as pd

from labs.analysis.frame import matching
from labs.analysis.points import Points
from labs.experiments.precision.names import TEST, TRIALS, UNIFORM, VALIDATION
from labs.formats.names import FLOAT32
from labs.records.packed import unpack
from labs.records.record import Record
from labs.records.rows import Case

BASELINE: Case = {"arm": UNIFORM, "spelled": FLOAT32}
"""The base model as it is."""

BEST_PAIR: Case = {"arm": UNIFORM, "role": "best pair"}
"""The lab's pair that is best on the validation split, in all layers."""

FACTS = ("correct", "loss", "bits", "formats")


class Judged:
    """The models of a record, by replicate and by the reviews that they were judged on."""

    def __init__(self, record: Record) -> None:
        self._record = record

    @cached_property
    def points(self) -> dict[str, Points]:
        """The models' answers, by the reviews that they were judged on."""
        return {split: Points(self._record, split=split) for split in (TRIALS, VALIDATION, TEST)}

    @cached_property
    def _frame(self) -> pd.DataFrame:
        """One row per replicate, model and set of reviews, with FACTS as columns."""
        models: dict[tuple[int, str, str], Case] = {}
        for fact in self._record["facts"]:
            if fact["name"] in FACTS:
                key = fact["process"], fact["arm"], json.dumps(fact["case"], sort_keys=True)
                row = {"replicate": fact["process"], "arm": fact["arm"], **fact["case"]}
                models.setdefault(key, row)[fact["name"]] = fact["value"]
        return pd.DataFrame([row for row in models.values() if "correct" in row])

    def rows(self, **case: Any) -> pd.DataFrame:
        """Return the models that match ``case``, by replicate."""
        return matching(self._frame, **case).sort_values("replicate")

    def mean(self, column: str, **case: Any) -> float:
        """Return the mean of a column over the replicates of a model."""
        return float(self.rows(**case)[column].mean(skipna=False))


def winner(study: str) -> Case:
    """Return the model that a search chose."""
    return {"arm": study, "role": "winner"}


def uniform(spelled: str) -> Case:
    """Return the model with one format in all layers."""
    return {"arm": UNIFORM, "spelled": spelled}


def trials(judged: Judged, study: str) -> pd.DataFrame:
    """Return one row per replicate and trial of a search, in order, with accuracy."""
    rows = judged.rows(arm=study, role="trial", split=TRIALS)
    accuracy = [float(unpack(text).mean()) for text in rows["correct"]]
    return rows.assign(accuracy=accuracy).sort_values(["replicate", "trial"], ignore_index=True)
