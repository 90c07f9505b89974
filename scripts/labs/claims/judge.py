"""All claims of a record."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from labs.analysis import published
from labs.analysis.frame import processes
from labs.analysis.timing import needed
from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.conditions import held
from labs.claims.statement import Rule
from labs.records.record import MEASURED, NOT_MEASURED, Record
from labs.setup.discovery import modules


@cache
def rules() -> Mapping[str, Sequence[Callable[[Record, Values], list[Rule]]]]:
    """Return what is asserted, by experiment: functions that return how claims are judged."""
    found = defaultdict(list)
    for module in modules("claims"):
        found[module.EXPERIMENT].append(module.rules)
    return found


def claims_of(record: Record, values: Values) -> list[Claim]:
    """Return a claim for each rule; a record of an absent device gives its reason instead."""
    made = [rule for make in rules()[record["experiment"]] for rule in make(record, values)]
    if record["status"] == MEASURED:
        return [_compared(_with_reason(_judged(rule), _lacking(record))) for rule in made]
    # A draft's further lines are how logs end.
    reason = record["status"].removeprefix(NOT_MEASURED).split("\n")[0]
    return [rule.statement.not_measured(reason) for rule in made]


def _judged(rule: Rule) -> Claim:
    try:
        return rule()
    except Exception as error:
        error.add_note(f"of the claim {rule.statement.id}")
        raise


def _compared(claim: Claim) -> Claim:
    """Return a claim that contradicts only what was published for its own conditions."""
    statements = {name: published.conditions(name) for name in claim.contradicts}
    contradicts, other_sizes = held(claim.conditions, statements)
    return replace(claim, contradicts=tuple(contradicts), other_sizes=other_sizes)


def _with_reason(claim: Claim, lacking: str) -> Claim:
    """Give an undecided claim about times the reason that the budget ended, if it has no other."""
    of_times = claim.estimate is not None and claim.estimate.unit == "ratio"
    undecided = claim.verdict == "undecided" and of_times
    return replace(claim, reason=lacking) if undecided and not claim.reason else claim


def _lacking(record: Record) -> str:
    """Return that the budget ended before every ratio had its processes, or nothing."""
    run, asked = int(processes(record).value), needed(record)
    if asked is None or asked <= run:
        return ""
    return f"the budget ended after {run} processes; the job's widest spread asked for {asked}"
