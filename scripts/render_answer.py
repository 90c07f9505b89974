"""Judge, tabulate, draw and render one question again, from the records of a run.

Only the experiments that answer it are read; the rest of the report is as the run left it. It is
written to results/<preset>/answers/<question>, so that nothing of the run changes.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from labs.analysis.tables import tables
from labs.evaluation import Evaluated, evaluate
from labs.figures.files import draw
from labs.files import write_text
from labs.records.reading import RecordError
from labs.setup.devices import DEVICES
from labs.setup.discovery import EXPERIMENTS
from labs.setup.machines import THIS

OF_ALL = ("published", "machine", "timing", "settings", "jobs")
"""Tables that tell of the whole run."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="quick", help="of the run")
    parser.add_argument("--question", required=True, help="as 4.2a, or lab4-2a")
    arguments = parser.parse_args()
    question, results = id_of(arguments.question), Path("results", arguments.preset)
    try:
        claims = json.loads((results / "report" / "claims.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SystemExit(
            f"error: {results} has no finished run; make draft PRESET={arguments.preset} "
            "shows what there is"
        ) from None
    paths = records_of(question, claims)
    if not paths:
        raise SystemExit(f"error: no claim of {results}/report/claims.json is about {question}")
    output = results / "answers" / question
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(results / "tables", output / "tables")
    shutil.copytree(results / "figures", output / "figures")
    try:
        found = dict(evaluate(path) for path in paths)
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    judged = [claim.as_row() for of in found.values() for claim in of.claims]
    others = [row for row in claims if row["evidence"] not in found]
    write_text(output / "claims.json", json.dumps(others + judged, allow_nan=False))
    changed = tabulate(found, output / "tables")
    drawn = {path.stem.rpartition("_")[2] for path in (output / "figures").glob("*.svg")}
    devices = [device for device in DEVICES if device in drawn]
    draw(output / "tables", devices, output / "figures", changed)
    render(arguments.preset, output)
    print(f"{output / 'report.html'}#{question}")


def id_of(question: str) -> str:
    """Return the id of a question: lab4-2a for 4.2a."""
    return question if question.startswith("lab") else f"lab{question.replace('.', '-', 1)}"


def records_of(question: str, claims: Sequence[Mapping[str, str]]) -> list[Path]:
    """Return the records of this machine on which claims about a question were judged."""
    about = [row for row in claims if row["question"] == question and row["machine"] == THIS]
    return sorted({Path(row["evidence"]) for row in about})


def tabulate(found: Mapping[str, Evaluated], folder: Path) -> list[str]:
    """Write the tables of records, and their values in place of those that the table has.

    Returns the names of the tables.
    """
    made = tables(found, dict.fromkeys(found, ""))
    known = pd.read_csv(folder / "values.csv")
    others = known[~known["evidence"].isin(found)]
    made["values"] = pd.concat([others, made["values"]], ignore_index=True)
    written = [name for name in made if name not in OF_ALL and not made[name].columns.empty]
    for name in written:
        write_text(folder / f"{name}.csv", made[name].to_csv(index=False))
    return written


def render(preset: str, output: Path) -> None:
    """Render the report, with the program that the workflow runs."""
    report, answers = Path("report"), sorted(EXPERIMENTS.rglob("question.yaml"))
    arguments = [
        *("--tables", output / "tables", "--claims", output / "claims.json"),
        *("--figures", *sorted((output / "figures").glob("*.svg"))),
        *("--questions", report / "questions.yaml", *answers),
        *("--published", report / "published.yaml", "--lab-sizes", report / "lab_sizes.yaml"),
        *("--config", "config.yaml", "--preset", preset, "--output", output / "report.html"),
        *(f"--{name}={report / name}" for name in ("templates", "style", "fonts")),
    ]
    done = subprocess.run([sys.executable, "scripts/render_html.py", *map(str, arguments)])
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
