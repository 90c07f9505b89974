"""Which of a report's records a draft can use, and what is missing with each of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from labs.analysis.tables import ANALYSES
from labs.claims.judge import RULES, claims_of
from labs.records.reading import RecordError, read
from labs.records.record import not_measured
from labs.setup.devices import DEVICES
from reporting.draft.plan import Plan
from reporting.draft.states import STOPPED, History
from reporting.figures.registry import FIGURES
from reporting.missing import Job, Missing

ABSENT = "There is no record."
STALE = (
    "There is a record, but the next run measures it again: its code, software, settings or inputs "
    "have changed since, or an input has to be made again."
)
# Of how many jobs the last lines of their logs are shown; others may have failed in the same way.
SHOWN = 3


def missing_of(paths: Sequence[str], plan: Plan, history: History) -> list[Missing]:
    """Return the records that a draft cannot use: absent, out of date, or not readable."""
    return [
        _lack(path, why, _jobs(path, plan, history)) for path in paths if (why := _why(path, plan))
    ]


def _why(path: str, plan: Plan) -> str:
    """Return what is wrong with a record, or nothing."""
    if not Path(path).exists():
        return ABSENT
    if plan.maker(path):
        return STALE
    try:
        record = read(Path(path))
    except RecordError as error:
        return f"The record cannot be used. {error}."
    if record["experiment"] not in RULES:
        return f"The record cannot be used: no claims are about {record['experiment']}."
    return ""


def _jobs(path: str, plan: Plan, history: History) -> list[Job]:
    """Return the jobs that a record waits for and that stopped, or else the job that makes it."""
    maker = plan.maker(path)
    if maker is None:
        return []
    last, *before = [history.told(job) for job in (maker, *plan.behind(maker))]
    stopped = [job for job in (last, *before) if job.state in STOPPED]
    if stopped:
        stopped.sort(key=lambda job: job.title)
        return [*stopped[:SHOWN], *(replace(job, tail="") for job in stopped[SHOWN:])]
    if before:
        last = replace(last, state=f"{last.state}; jobs before it: {len(before)}")
    return [last]


def _lack(path: str, why: str, jobs: Sequence[Job]) -> Missing:
    """Return a missing record with what would come from it, as its rules and tables say."""
    first, *rest = Path(path).with_suffix("").parts[Path(path).parts.index("records") + 1 :]
    device = rest[0] if rest else None
    # Only the names and the questions of these claims are used; where the experiment has one
    # record, no device is in them that could be wrong.
    claims = claims_of(not_measured(first, device or DEVICES[0], why))
    tables = {name for each in ANALYSES if each.experiment == first for name in each.tables}
    figures = {
        name for figure in FIGURES if tables & set(figure.tables) for name in figure.names(rest)
    }
    return Missing(
        path,
        why,
        jobs,
        device,
        sorted({claim.question for claim in claims}),
        sorted({claim.id.split(".")[0] for claim in claims}),
        sorted(tables),
        sorted(figures),
    )
