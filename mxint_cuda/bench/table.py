"""Make the table of bounds from what run.py has written: a column for each run."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HEADING = ["", "arm", "over", "bound"]


def bounds(run: dict[str, Any]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return a run's bounds by the comparison's title, the arm, and the arm that it is held to."""
    return {
        (comparison["title"], bound["arm"], bound["over"]): bound
        for comparison in run["comparisons"]
        for bound in comparison["bounds"]
    }


def row(case: tuple[str, str, str], seen: list[dict[str, Any]]) -> list[str]:
    """Return the cells of a bound: what was asked, what each run found, what became of it."""
    found = [
        f"{one['ratio']:.2f} [{one['quartiles'][0]:.2f}, {one['quartiles'][1]:.2f}]" for one in seen
    ]
    held = sum(one["holds"] for one in seen)
    verdict = "holds" if held == len(seen) else "missed" if held == 0 else f"holds in {held}"
    return [*case, f"{seen[0]['least']:g}", *found, verdict]


def markdown(heading: list[str], rule: str, rows: Iterable[list[str]]) -> str:
    """Return a table; columns but the first are set by the rule, such as ---: to the right."""
    lines = [heading, ["---"] + [rule] * (len(heading) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="JSON of run.py")
    arguments = parser.parse_args()
    results = [json.loads(path.read_text()) for path in arguments.runs]
    runs = [bounds(result) for result in results]
    cases = [case for case in runs[0] if all(case in run for run in runs)]
    heading = [*HEADING, *(f"run {number}" for number in range(1, len(runs) + 1)), ""]
    table = markdown(heading, "---", (row(case, [run[case] for run in runs]) for case in cases))
    where = results[0]["environment"]
    details = ", ".join(f"{name} {value}" for name, value in where.items())
    print(f"\n## {where['cpu']}, {where['date'][:10]}\n\n{details}\n\n{table}")


if __name__ == "__main__":
    main()
