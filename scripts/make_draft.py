"""Make a draft: the report of what there is, after a run that failed or was interrupted.

For each record that is absent, out of date or unreadable a stand-in says so, and what became of the
jobs that would make it. The report is rendered as always, on these and the other records, in
results/<preset>/draft; nothing else is written.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from labs.claims.judge import RULES
from labs.records.reading import RecordError, read
from labs.records.record import DRAFT, not_measured, write
from labs.setup.devices import DEVICES
from labs.setup.durations import beside
from labs.setup.logs import last_lines
from labs.setup.plan import Job, plan, snakemake, with_settings

# Their inputs are in every plan, because it forces them.
REPORTING = ("judge_claims", "make_tables", "draw_figures", "render_html", "render_pdf")
# Of how many jobs the last lines of their logs are shown; others may have failed in the same way.
SHOWN, LINES = 3, 12


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    parser.add_argument("--configfile", nargs="+", default=[], help="as of snakemake")
    return parser


def main() -> None:
    """Parse, plan, find what is missing, render, and say where."""
    given = parser().parse_args()
    files = [str(Path(file).resolve()) for file in given.configfile]
    options = ("--rerun-incomplete", "--cores", "1", "--forcerun", *REPORTING)
    jobs = plan(*options, config=given.config, files=files)
    (rendering,) = (job for job in jobs if job.rule == "render_pdf")
    (report,) = (path for path in rendering.outputs if path.endswith(".pdf"))
    results = Path(report).parents[1]
    (judging,) = (job for job in jobs if job.rule == "judge_claims")
    records = sorted(path for path in judging.inputs if Path(path).is_relative_to(results))
    missing = {path: why for path in records if (why := _why(path, jobs))}
    if not missing:
        raise SystemExit("No record is missing or out of date: make report makes the report.")
    with tempfile.TemporaryDirectory(prefix=".draft.", dir=_made(results)) as temporary:
        folder = Path(temporary)
        fill(folder, records, missing)
        only = ("--cores", "1", "--nolock", "--no-hooks", "--allowed-rules", *REPORTING)
        settings = with_settings(given.config, files)
        snakemake(*only, *settings, "--", report, folder=folder)
        shutil.rmtree(results / "draft", ignore_errors=True)
        (folder / results).rename(results / "draft")
    print(f"The draft: {results / 'draft' / Path(report).relative_to(results)}")
    print(f"Missing records: {len(missing)} of {len(records)}")
    for path, why in missing.items():
        print(f"  {path}: {why.splitlines()[0]}")


def fill(folder: Path, records: Sequence[str], missing: dict[str, str]) -> None:
    """Fill a folder in which Snakemake can render: this one's sources, and the records."""
    for source in Path().iterdir():
        if source.name not in ("results", "logs", ".snakemake"):
            (folder / source.name).symlink_to(source.resolve())
    for path in records:
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path in missing:
            write(stand_in(path, missing[path]), copy)
        else:
            shutil.copy2(path, copy)


def stand_in(path: str, why: str) -> dict[str, str]:
    """Return a record that says why the one that should be here is missing."""
    experiment, *rest = Path(path).with_suffix("").parts[Path(path).parts.index("records") + 1 :]
    # Where an experiment has one record, its claims name no device.
    return not_measured(experiment, rest[0] if rest else DEVICES[0], DRAFT + why)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _why(path: str, jobs: Sequence[Job]) -> str:
    """Return what is wrong with a record, and which jobs are to make it; nothing for a good one.

    The first line is for the contents, further ones are what logs say.
    """
    maker = next((job for job in jobs if path in job.outputs), None)
    if maker:
        known = Path(path).exists()
        wrong = (
            "It is out of date: the next run makes it again." if known else "There is no record."
        )
        return "\n".join([f"{wrong} {_waits(maker, jobs)}", *_logs(_stopped(maker, jobs)[:SHOWN])])
    try:
        experiment = read(Path(path))["experiment"]
        return "" if experiment in RULES else f"No claims are about {experiment}."
    except RecordError as error:
        return f"It cannot be used. {error}."


def _waits(maker: Job, jobs: Sequence[Job]) -> str:
    """Return in words what a record waits for."""
    if stopped := _stopped(maker, jobs):
        titles = ", ".join(f"“{job.title}”" for job in stopped)
        return f"{titles} failed, or was interrupted, unless it is running now."
    before = len(_behind(maker, jobs)) - 1
    waits = f"; jobs before it: {before}" if before else ""
    state = "has run before" if beside(maker.log).exists() else "has not started yet"
    return f"“{maker.title}” {state}{waits}."


def _stopped(maker: Job, jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs behind a record that began and have not ended well."""
    began = (job for job in _behind(maker, jobs) if Path(job.log).exists())
    return sorted((job for job in began if not beside(job.log).exists()), key=lambda job: job.title)


def _behind(maker: Job, jobs: Sequence[Job]) -> list[Job]:
    """Return a job, and all that it waits for, directly or not."""
    found = [maker]
    for waiting in found:
        found += [job for job in jobs if job.outputs & waiting.inputs and job not in found]
    return found


def _logs(jobs: Sequence[Job]) -> list[str]:
    """Return how the logs of jobs end."""
    return [line for job in jobs for line in (f"{job.log}:", *last_lines(Path(job.log), LINES))]


if __name__ == "__main__":
    main()
