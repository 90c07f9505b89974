"""Keep a run, so that later ones can be compared with it."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.comparison import ComparisonError
from labs.comparison.run import gather, keep, place


def main() -> None:
    """Parse, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="results/<preset>")
    arguments = parser.parse_args()
    try:
        run = gather(arguments.results)
    except ComparisonError as error:
        raise SystemExit(f"error: {error}") from error
    keep(run, place(arguments.results))
    print(
        f"Accepted: {len(run.claims)} claims, {len(run.tables)} tables and {len(run.figures)} "
        f"figures, kept in {place(arguments.results)}"
    )


if __name__ == "__main__":
    main()
