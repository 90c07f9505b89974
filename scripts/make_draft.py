"""Make a draft: the report of what there is, after a run that failed or was interrupted.

For each record that is absent, out of date or unreadable a stand-in says so, and what became of the
jobs that would make it. The report is rendered as always, on these and the other records, in
results/<preset>/draft; nothing else is written.
"""

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from labs.claims.judge import rules
from labs.records.reading import RecordError, read
from labs.records.record import DRAFT, not_measured, write
from labs.setup.config import check_syntax
from labs.setup.devices import DEVICES
from labs.setup.durations import duration_file
from labs.setup.logs import last_lines
from labs.setup.plan import Job, plan, snakemake

REPORTING = ("evaluate_records", "draw_figures", "render_html", "render_pdf")
# Of how many jobs the last lines of their logs are shown; others may have failed in the same way.
SHOWN, LINES = 3, 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    parser.add_argument("--configfile", nargs="+", default=[], help="as of snakemake")
    given = parser.parse_args()
    files = [str(Path(file).resolve()) for file in given.configfile]
    for file in files:
        check_syntax(file)
    settings = ("--config", *given.config, *(["--configfile", *files] if files else []))
    # Judging needs every record; it is in the plan because it is forced.
    jobs = plan("--rerun-incomplete", "--cores", "1", "--forcerun", "evaluate_records", *settings)
    (judging,) = (job for job in jobs if job.rule == "evaluate_records")
    results = Path(min(judging.outputs)).parents[1]
    records = sorted(path for path in judging.inputs if Path(path).is_relative_to(results))
    missing = {path: why for path in records if (why := lack(path, jobs))}
    if not missing:
        print("No record is missing or out of date: make report makes the report.")
        return
    results.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft.", dir=results) as temporary:
        folder, report = Path(temporary), results / "report" / "report.pdf"
        fill(folder, results, records, missing)
        only = ("--cores", "1", "--nolock", "--no-hooks", "--allowed-rules", *REPORTING)
        snakemake(*only, *settings, "--", str(report), folder=folder)
        shutil.rmtree(results / "draft", ignore_errors=True)
        (folder / results).rename(results / "draft")
    print(f"The draft: {results / 'draft' / 'report' / 'report.pdf'}")
    print(f"Missing records: {len(missing)} of {len(records)}")
    for path, why in missing.items():
        print(f"  {path}: {why.splitlines()[0]}")


def fill(folder: Path, results: Path, records: Sequence[str], missing: dict[str, str]) -> None:
    """Fill a folder in which Snakemake can render: this one's sources, and the records."""
    for source in Path().iterdir():
        if source.name not in ("results", "logs", ".snakemake"):
            (folder / source.name).symlink_to(source.resolve())
    for path in records:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if path in missing:
            experiment, *rest = Path(path).with_suffix("").relative_to(results / "records").parts
            # Where an experiment has one record, its claims name no device.
            device = rest[0] if rest else DEVICES[0]
            write(not_measured(experiment, device, DRAFT + missing[path]), folder / path)
        else:
            shutil.copyfile(path, folder / path)


def lack(path: str, jobs: Sequence[Job]) -> str:
    """Return why a record is missing; nothing for a good one.

    The first line says which jobs it waits for, further ones how the logs of those end that began.
    """
    maker = next((job for job in jobs if path in job.outputs), None)
    if maker is None:
        try:
            experiment = read(Path(path))["experiment"]
        except RecordError as error:
            return f"It cannot be used. {error}."
        return "" if experiment in rules() else f"No claims are about {experiment}."
    behind = [maker]
    for waiting in behind:
        behind += [job for job in jobs if job.outputs & waiting.inputs and job not in behind]
    began = [
        job for job in behind if Path(job.log).exists() and not duration_file(job.log).exists()
    ]
    began.sort(key=lambda job: job.title)
    if began:
        titles = ", ".join(f"“{job.title}”" for job in began)
        waits = f"{titles} failed, or was interrupted, unless it is running now."
    else:
        state = "has run before" if duration_file(maker.log).exists() else "has not started yet"
        more = f"; jobs before it: {len(behind) - 1}" if len(behind) > 1 else ""
        waits = f"“{maker.title}” {state}{more}."
    known = "It is out of date: the next run makes it again."
    lines = [f"{known if Path(path).exists() else 'There is no record.'} {waits}"]
    for job in began[:SHOWN]:
        lines += [f"{job.log}:", *last_lines(Path(job.log), LINES)]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
