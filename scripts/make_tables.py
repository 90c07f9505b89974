"""Make every table of the report from the records, one CSV file per table."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.analysis.tables import tables
from labs.files import write_text
from labs.records.reading import RecordError, read


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, nargs="*", required=True, help="records, JSON")
    parser.add_argument(
        "--commands", nargs="*", required=True, help="command that measures each record, in order"
    )
    parser.add_argument("--output-dir", type=Path, required=True, help="folder for the CSV files")
    return parser


def main() -> None:
    """Parse, read, write."""
    arguments = parser().parse_args()
    try:
        records = {path.as_posix(): read(path) for path in arguments.records}
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    commands = dict(zip(records, arguments.commands, strict=True))
    for name, table in tables(records, commands).items():
        write_text(arguments.output_dir / f"{name}.csv", table.to_csv(index=False))


if __name__ == "__main__":
    main()
