"""Print where the report is, its claims by verdict, and by question what is open."""

import argparse
import json
from collections import Counter
from pathlib import Path

import yaml

from labs.claims.claim import Claim
from labs.setup.config import read
from labs.setup.machines import THIS
from reporting import open_claims

QUESTIONS = Path("report", "questions.yaml")


def summary(folder: Path) -> str:
    """Return the lines to print about the report in ``folder``."""
    asked = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    answered = sum(question["answer"] is not None for question in asked)
    rows = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    own = [claim for claim in map(Claim.read, rows) if claim.machine == THIS]
    verdicts = Counter(claim.verdict for claim in own)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    left = open_claims.lines(own, read("config.yaml")["presets"], folder.parent.name)
    return "\n".join(
        [
            f"The report: {folder / 'report.pdf'}",
            f"The same as HTML: {folder / 'report.html'}",
            f"Questions answered: {answered} of {len(asked)}",
            f"Claims: {counts or 'none'}",
            *left,
        ]
    )


def later_records(folder: Path) -> int:
    """Return how many records the report in ``folder`` does not show, as they are newer."""
    judged = (folder / "claims.json").stat().st_mtime
    records = (folder.parent / "records").rglob("*.json")
    return sum(record.stat().st_mtime > judged for record in records)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report-dir", type=Path, required=True, help="results/<preset>/report")
    folder = parser.parse_args().report_dir
    if not (folder / "claims.json").exists():
        print("No report yet: only part of it was requested.")
        return
    if later := later_records(folder):
        print(f"Only part of the report was requested: it does not show {later} newer record(s).")
        return
    print(summary(folder))


if __name__ == "__main__":
    main()
