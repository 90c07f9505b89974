"""Keep a run, or compare it with the one that was kept: prints what differs, and writes a page."""

import argparse
from pathlib import Path

from labs.files import write_text
from reporting import ReportError
from reporting.comparison.page import lines, page, sections
from reporting.comparison.run import gather, keep, kept, place
from reporting.stylesheet import stylesheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="results/<preset>")
    parser.add_argument("--accept", action="store_true", help="keep this run; compare nothing")
    arguments = parser.parse_args()
    results, accept = arguments.results, arguments.accept
    preset, accepted = results.name, place(results)
    if not accept and not accepted.exists():
        print(f"No run of {preset} is accepted yet: make accept PRESET={preset} keeps it")
        return
    try:
        new = gather(results)
        if accept:
            keep(new, accepted)
            print(f"Accepted: {len(new.claims)} claims and their values, kept in {accepted}")
            return
        old = kept(accepted)
        found = sections(old, new)
        css = stylesheet(Path("report/style"), Path("report/fonts"))
        html = page(preset, old, new, found, Path("report/templates"), css)
    except ReportError as error:
        raise SystemExit(f"error: {error}") from error
    output = results / "report" / "diff.html"
    write_text(output, html)
    print(lines(old, new, found))
    print(f"All of it: {output}")


if __name__ == "__main__":
    main()
