"""Merge the records of one experiment's jobs into one record."""

import argparse
from pathlib import Path

from labs.records import record
from labs.records.gathering import gathered
from labs.records.reading import RecordError, read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=Path, nargs="+", required=True, help="parts to merge, JSON")
    parser.add_argument("--output", type=Path, required=True, help="record to write, JSON")
    arguments = parser.parse_args()
    try:
        record.write(gathered([read(path) for path in arguments.parts]), arguments.output)
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error


if __name__ == "__main__":
    main()
