"""Make a draft: the report of what there is, after a run that failed or was interrupted.

A record that is absent, out of date or unreadable is missing in it: where an answer needs one, the
draft says so, and what became of the jobs that would make it. The programs of the report are run on
the other records, in results/<preset>/draft; nothing else is written.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from labs.files import write_text
from labs.setup.command import command
from reporting.draft.plan import Plan, next_run
from reporting.draft.records import missing_of
from reporting.draft.states import History
from reporting.missing import Draft


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    parser.add_argument("--configfile", nargs="+", default=[], help="as of snakemake")
    return parser


def main() -> None:
    """Parse, plan, find what is missing, write, and say where."""
    given = parser().parse_args()
    plan = next_run(given.config, given.configfile)
    tables = plan.running("make_tables").flags
    missing = missing_of(tables["--records"], plan, History(Path(".snakemake")))
    made = datetime.now(UTC).isoformat(timespec="seconds")
    draft = Draft(made, len(tables["--records"]), missing)
    folder = Path(*tables["--output-dir"]).with_name("draft")
    write(folder, plan, draft, command(["--cores", "all", *sys.argv[1:]]))
    print(summary(folder, draft))


def write(folder: Path, plan: Plan, draft: Draft, again: str) -> None:
    """Write a draft's folder in one step; where that fails, the folder stays as it was."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft.", dir=folder.parent) as temporary:
        new = Path(temporary, folder.name)
        fill(new, plan, draft, again)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


def fill(folder: Path, plan: Plan, draft: Draft, again: str) -> None:
    """Run the programs of the report, as planned, on the records that a draft has.

    ``again`` is the command that measures with the same settings.
    """
    lacking = {record.path for record in draft.missing}
    given = plan.running("make_tables").flags["--records"]
    records = [path for path in given if path not in lacking]
    tables, figures = folder / "tables", folder / "figures"
    claims, html, lacks = (folder / name for name in ("claims.json", "report.html", "draft.json"))

    def run(program: str, **changed: Iterable[object]) -> None:
        job = plan.running(program)
        own = {f"--{name.replace('_', '-')}": given for name, given in changed.items()}
        words = [str(word) for flag, given in (job.flags | own).items() for word in (flag, *given)]
        if subprocess.run([sys.executable, job.program, *words]).returncode:
            raise SystemExit(f"error: the draft cannot be made: {job.program} failed")

    write_text(lacks, json.dumps(asdict(draft), indent=1) + "\n")
    run("judge_claims", records=records, output=[claims])
    run("make_tables", records=records, command=[again], output_dir=[tables])
    run("draw_figures", tables=[tables], output_dir=[figures])
    drawn, made = sorted(figures.glob("*.svg")), sorted(tables.glob("*.csv"))
    evidence = {"tables": [tables], "figures": drawn, "claims": [claims], "draft": [lacks]}
    run("render_html", **evidence, output=[html])
    run("render_pdf", html=[html], attachments=[claims, *made], output=[folder / "report.pdf"])


def summary(folder: Path, draft: Draft) -> str:
    """Return the lines to print about a draft."""
    lines = [f"The draft: {folder / 'report.pdf'}", f"The same as HTML: {folder / 'report.html'}"]
    lines += [f"Missing records: {len(draft.missing)} of {draft.records}"]
    for record in draft.missing:
        lines += [f"  {record.path}: {record.why}"]
        lines += [f"    “{job.title}” {job.state}. {job.log}".rstrip() for job in record.jobs]
    return "\n".join(lines if draft.missing else [*lines, "Nothing is missing: make report"])


if __name__ == "__main__":
    main()
