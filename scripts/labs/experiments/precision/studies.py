"""The searches that a mixed-precision record holds, and what the layers are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labs.analysis.frame import fact
from labs.experiments.precision.names import UNIFORM, formats_of
from labs.records.record import Record


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


def studies(record: Record, part: str | None = None) -> list[Study]:
    """Return the searches of a record, or those of a part, in the order in which they ran."""
    by_name = {
        row["arm"]: Study(row["arm"], choices=formats_of(str(row["value"])), **row["case"])
        for row in record["facts"]
        if row["name"] == "choices" and part in (None, row["case"]["part"])
    }
    return list(by_name.values())


def layers(record: Record) -> list[str]:
    """Return what the linear layers are called, in the model's order: "0.attention.query"."""
    (text, *_) = fact(record, "layers", UNIFORM)
    dropped = r"bert\.encoder\.layer\.|bert\.|self\.|\.dense"
    return [re.sub(dropped, "", name) for name in formats_of(text)]
