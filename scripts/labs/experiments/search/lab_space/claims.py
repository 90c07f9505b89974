"""Claims about samplers on the lab's whole space: question 2.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-1"


def rules(record: Record, values: Values) -> list[Rule]:
    lacking = _lacking(values.below("search"))
    claim = Rules(record, values, "search.lab_space", QUESTION).only_if(not lacking, lacking)
    return [
        claim.rule(
            "tpe-ahead",
            "On the lab's whole space, the best architecture that TPE finds is more accurate than "
            "that of random search.",
            claim.superior("ahead"),
            like=("B-tpe-outperforms", "C-tpe-best", "D-tpe-good"),
        )
    ]


def _lacking(values: Values) -> str:
    """Return what the preset leaves out that a verdict needs; nothing if it has it all."""
    if "lab_space.trials" not in values:
        return "a search of the lab's whole space"
    # A TPE whose searches end with its startup is random search under another name.
    if values["startup"].value >= values["lab_space.trials"].value:
        return "TPE beyond its startup"
    return "" if values["lab_space.seeds"].value > 1 else "several training seeds"
