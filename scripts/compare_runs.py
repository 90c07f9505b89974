"""Compare a run with the one that was accepted: prints what differs, and writes it as HTML."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.comparison import ComparisonError
from labs.comparison.changes import changes
from labs.comparison.run import gather, kept, place
from labs.files import write_text
from reporting import ReportError
from reporting.comparison import Comparison
from reporting.stylesheet import stylesheet


def main() -> None:
    """Parse, read both runs, compare, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="results/<preset>")
    parser.add_argument(
        "--report", type=Path, default=Path("report"), help="folder of templates, style and fonts"
    )
    arguments = parser.parse_args()
    results, report = arguments.results, arguments.report
    if not place(results).exists():
        print(
            f"No run of {results.name} is accepted yet: make accept PRESET={results.name} keeps it"
        )
        return
    try:
        old, new = kept(place(results)), gather(results)
        found = Comparison(results.name, old, new, changes(old, new))
        css = stylesheet(report / "style", report / "fonts")
        page = found.page(report / "templates", css)
    except (ComparisonError, ReportError) as error:
        raise SystemExit(f"error: {error}") from error
    output = results / "report" / "diff.html"
    write_text(output, page)
    print(found.lines())
    print(f"All of it, and the figures side by side: {output}")


if __name__ == "__main__":
    main()
