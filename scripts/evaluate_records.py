"""Judge every claim and make every table of the report, in one pass over the records."""

import argparse
import json
import os
from collections.abc import Mapping
from pathlib import Path

from labs.analysis.tables import tables
from labs.evaluation import evaluate
from labs.files import write_text
from labs.records.reading import RecordError
from labs.setup.command import VARIABLE
from labs.setup.machines import MACHINES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, nargs="*", required=True, help="this machine's")
    parser.add_argument(
        "--recorded",
        type=Path,
        nargs="*",
        default=[],
        help=f"records of other machines, each below {MACHINES}/<its machine>; for claims alone",
    )
    parser.add_argument(
        "--command", default=os.environ.get(VARIABLE, "snakemake"), help="that started Snakemake"
    )
    parser.add_argument(
        "--parts", nargs="*", default=[], help="pruning=prune_model,...: rules of a record's parts"
    )
    parser.add_argument("--claims", type=Path, required=True, help="claims.json, to write")
    parser.add_argument("--tables", type=Path, required=True, help="folder for the CSV files")
    arguments = parser.parse_args()
    parts = dict(given.split("=") for given in arguments.parts)
    try:
        own = dict(evaluate(path) for path in arguments.records)
        others = [evaluate(path, machine=machine_of(path)) for path in arguments.recorded]
        made = tables(own, {path: again(arguments.command, path, parts) for path in own})
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    found = [*own.values(), *(of for _, of in others)]
    claims = [claim.as_row() for of in found for claim in of.claims]
    write_text(arguments.claims, json.dumps(claims, indent=1, allow_nan=False) + "\n")
    for name, table in made.items():
        write_text(arguments.tables / f"{name}.csv", table.to_csv(index=False))


def machine_of(path: Path) -> str:
    """Return the name of the machine whose folder a record lies in."""
    place, folder = path.resolve(), MACHINES.resolve()
    if not place.is_relative_to(folder):
        raise SystemExit(f"error: {path} must lie in {MACHINES}/<its machine>")
    return place.relative_to(folder).parts[0]


def again(command: str, record: str, parts: Mapping[str, str]) -> str:
    """Return the command that measures a record again, or the parts that it is gathered from."""
    rules = parts.get(Path(record).stem)
    forced = f"--forcerun {rules.replace(',', ' ')}" if rules else "--force"
    return f"{command} {forced} -- {record}"


if __name__ == "__main__":
    main()
