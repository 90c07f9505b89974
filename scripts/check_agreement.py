"""Hold the times of several runs on one machine side by side, and say how well they agree.

Each run is a folder of records, such as results/quick/records, or a copy of it. Prints the claims
that one run confirms and another refutes, how many estimates lie where the other runs predict them,
how wide these predictions are, and how many claims each run leaves undecided.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.comparison import ComparisonError
from labs.comparison.agreement import agreement, times
from labs.records.reading import RecordError


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of records, two or more")
    return parser


def main() -> None:
    """Parse, read, compare, print."""
    folders: list[Path] = parser().parse_args().runs
    if len(folders) < 2:
        raise SystemExit("error: one run alone agrees with itself: name two folders or more")
    try:
        runs = [times(folder) for folder in folders]
        found = agreement(runs)
    except (RecordError, ComparisonError) as error:
        raise SystemExit(f"error: {error}") from error
    for folder, run in zip(folders, runs, strict=True):
        print(f"{folder}: {len(run.verdicts)} claims about times, {run.undecided:.1%} undecided")
    flipped = ", ".join(found.flipped) or "none"
    print(f"confirmed by one run and refuted by another, of {found.claims} claims: {flipped}")
    for what, one in (("times, rates and ratios", found.all), ("ratios alone", found.ratios)):
        inside = one.inside
        print(
            f"{what}: {inside.value:.1%} [{inside.low:.1%}, {inside.high:.1%}] of {one.estimates} "
            "estimates are inside another run's 95 % prediction interval, "
            f"whose median half-width is {one.half_width:.1%}"
        )


if __name__ == "__main__":
    main()
