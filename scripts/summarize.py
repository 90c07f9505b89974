"""Print where the report is, how many questions it answers, and its claims by verdict."""

import argparse
import json
from collections import Counter
from pathlib import Path

import yaml


def summary(folder: Path, questions: Path) -> str:
    """Return the lines to print about the report in ``folder``; ``questions`` is questions.yaml."""
    asked = yaml.safe_load(questions.read_text(encoding="utf-8"))
    answered = sum(question["answer"] is not None for question in asked)
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    verdicts = Counter(claim["verdict"] for claim in claims)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    return "\n".join(
        [
            f"The report: {folder / 'report.pdf'}",
            f"The same as HTML: {folder / 'report.html'}",
            f"Questions answered: {answered} of {len(asked)}",
            f"Claims: {counts or 'none'}",
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
    parser.add_argument(
        "--questions", type=Path, default=Path("report/questions.yaml"), help="questions.yaml"
    )
    arguments = parser.parse_args()
    if not (arguments.report_dir / "claims.json").exists():
        print("No report yet: only part of it was requested.")
        return
    if later := later_records(arguments.report_dir):
        print(f"Only part of the report was requested: it does not show {later} newer record(s).")
        return
    print(summary(arguments.report_dir, arguments.questions))


if __name__ == "__main__":
    main()
