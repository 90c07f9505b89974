"""Keep a run, or print what differs from the one that was kept."""

import argparse
from pathlib import Path

from reporting import ReportError
from reporting.comparison.lines import lines, sections
from reporting.comparison.run import gather, keep, kept, place


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
        print(lines(old, new, sections(old, new)))
    except ReportError as error:
        raise SystemExit(f"error: {error}") from error


if __name__ == "__main__":
    main()
