"""What the mixed-precision record holds: models, and the searches that found them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from labs.analysis.frame import fact, matching
from labs.analysis.points import Points
from labs.experiments.precision.names import TEST, TRIALS, UNIFORM, VALIDATION, formats_of
from labs.formats.names import FLOAT32
from labs.records.packed import unpack
from labs.records.record import Record
from labs.records.rows import Case

BASELINE: Case = {"arm": UNIFORM, "spelled": FLOAT32}
"""The base model as it is."""

BEST_PAIR: Case = {"arm": UNIFORM, "role": "best pair"}
"""The lab's pair that is best on the validation split, in all layers."""

FACTS = ("correct", "loss", "bits", "formats")


def winner(study: str) -> Case:
    """Return the model that a search chose."""
    return {"arm": study, "role": "winner"}


def uniform(spelled: str) -> Case:
    """Return the model with one format in all layers."""
    return {"arm": UNIFORM, "spelled": spelled}


@dataclass(frozen=True)
class Study:
    """A search: its name and part, what each layer chooses from, and how trials are compared.

    ``two``: by accuracy and bits; else by accuracy, minus the bits times the ``penalty``.
    """

    name: str
    part: str
    choices: Sequence[str]
    penalty: float
    two: bool


class Judged:
    """The models of a record, by replicate and by the reviews that they were judged on."""

    def __init__(self, record: Record) -> None:
        self.record = record

    @cached_property
    def points(self) -> dict[str, Points]:
        """The models' answers, by the reviews that they were judged on."""
        return {split: Points(self.record, split=split) for split in (TRIALS, VALIDATION, TEST)}

    @cached_property
    def _frame(self) -> pd.DataFrame:
        """One row per replicate, model and set of reviews, with FACTS as columns."""
        models: dict[tuple[int, str, str], Case] = {}
        for one in self.record["facts"]:
            if one["name"] in FACTS:
                key = one["process"], one["arm"], json.dumps(one["case"], sort_keys=True)
                row = {"replicate": one["process"], "arm": one["arm"], **one["case"]}
                models.setdefault(key, row)[one["name"]] = one["value"]
        return pd.DataFrame([row for row in models.values() if "correct" in row])

    def rows(self, **case: Any) -> pd.DataFrame:
        """Return the models that match ``case``, by replicate."""
        return matching(self._frame, **case).sort_values("replicate")

    def mean(self, column: str, **case: Any) -> float:
        """Return the mean of a column over the replicates of a model."""
        return float(self.rows(**case)[column].mean(skipna=False))

    def studies(self, part: str | None = None) -> list[Study]:
        """Return all searches, or those of a part, in the order in which they ran."""
        by_name = {
            row["arm"]: Study(row["arm"], choices=formats_of(row["value"]), **row["case"])
            for row in self.record["facts"]
            if row["name"] == "choices" and part in (None, row["case"]["part"])
        }
        return list(by_name.values())

    def trials(self, study: Study) -> pd.DataFrame:
        """Return one row per replicate and trial of a search, in order, with accuracy."""
        rows = self.rows(arm=study.name, role="trial", split=TRIALS)
        accuracy = [float(unpack(text).mean()) for text in rows["correct"]]
        return rows.assign(accuracy=accuracy).sort_values(["replicate", "trial"], ignore_index=True)

    def layers(self) -> list[str]:
        """Return what the linear layers are called, in the model's order: "0.attention.query"."""
        (text, *_) = fact(self.record, "layers", UNIFORM)
        dropped = r"bert\.encoder\.layer\.|bert\.|self\.|\.dense"
        return [re.sub(dropped, "", name) for name in formats_of(text)]
