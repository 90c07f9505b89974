"""Make every table of the report from the records, one CSV file per table."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from labs.analysis.tables import tables
from labs.files import write_text
from labs.records.reading import RecordError, read
from labs.setup.command import VARIABLE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, nargs="*", required=True, help="records, JSON")
    parser.add_argument(
        "--command", default=os.environ.get(VARIABLE, "snakemake"), help="that started Snakemake"
    )
    parser.add_argument(
        "--parts", nargs="*", default=[], help="pruning=prune_model,...: rules of a record's parts"
    )
    parser.add_argument("--output-dir", type=Path, required=True, help="folder for the CSV files")
    arguments = parser.parse_args()
    parts = dict(given.split("=") for given in arguments.parts)
    try:
        records = {path.as_posix(): read(path) for path in arguments.records}
        commands = {path: again(arguments.command, path, parts) for path in records}
        made = tables(records, commands)
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    for name, table in made.items():
        write_text(arguments.output_dir / f"{name}.csv", table.to_csv(index=False))


def again(command: str, record: str, parts: Mapping[str, str]) -> str:
    """Return the command that measures a record again, or the parts that it is gathered from."""
    rules = parts.get(Path(record).stem)
    forced = f"--forcerun {rules.replace(',', ' ')}" if rules else "--force"
    return f"{command} {forced} -- {record}"


if __name__ == "__main__":
    main()
