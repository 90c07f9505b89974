"""Print where the report is, how many questions it answers, and its claims by verdict."""

import argparse
import json
from collections import Counter
from pathlib import Path

import yaml

QUESTIONS = Path("report", "questions.yaml")


def summary(folder: Path) -> str:
    """Return the lines to print about the report in ``folder``."""
    asked = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    answered = sum(question["answer"] is not None for question in asked)
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    verdicts = Counter(claim["verdict"] for claim in claims)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    return (
        f"The report: {folder / 'report.pdf'}\n"
        f"The same as HTML: {folder / 'report.html'}\n"
        f"Questions answered: {answered} of {len(asked)}\n"
        f"Claims: {counts or 'none'}"
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
