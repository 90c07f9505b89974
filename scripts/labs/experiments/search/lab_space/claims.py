"""Claims about samplers on the lab's whole space: question 2.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.search.lab_space.values import leads, trials
from labs.experiments.search.samplers.values import is_guided
from labs.records.record import Record

EXPERIMENT = "search"

QUESTION = "lab2-1"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "search", QUESTION).with_prefix("lab_space")
    lacking = _lacking(record) if claim.measured else ""
    run = claim.only_if(not lacking, lacking)
    return [
        run.rule(
            "tpe-ahead",
            "On the lab's whole space, the best architecture that TPE finds is more accurate than "
            "that of random search.",
            run.superior("ahead"),
            like=("B-tpe-outperforms", "C-tpe-best", "D-tpe-good"),
        )
    ]


def _lacking(record: Record) -> str:
    """Return what the preset leaves out that a verdict needs; nothing if it has it all."""
    if not trials(record):
        return "a search of the lab's whole space"
    # A TPE whose searches end with its startup is random search under another name.
    if not is_guided(record, trials(record)):
        return "TPE beyond its startup"
    return "" if len(leads(record)) > 1 else "several training seeds"
