"""Judge every claim of the report on the records: writes claims.json."""

import argparse
import json
from pathlib import Path

from labs.claims.judge import judge
from labs.files import write_text
from labs.records.reading import RecordError
from labs.setup.machines import MACHINES, THIS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, nargs="*", required=True, help="this machine's")
    parser.add_argument(
        "--recorded",
        type=Path,
        nargs="*",
        default=[],
        help=f"records of other machines, each below {MACHINES}/<its machine>",
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the repository, which evidence paths start from"
    )
    parser.add_argument("--output", type=Path, required=True, help="claims.json")
    arguments = parser.parse_args()
    machines = [(THIS, path) for path in arguments.records]
    machines += [(machine_of(path, arguments.root), path) for path in arguments.recorded]
    try:
        claims = [row for machine, path in machines for row in judge(path, arguments.root, machine)]
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    write_text(arguments.output, json.dumps(claims, indent=1, allow_nan=False) + "\n")


def machine_of(path: Path, root: Path) -> str:
    """Return the name of the machine whose folder a record lies in."""
    place, folder = path.resolve(), (root / MACHINES).resolve()
    if not place.is_relative_to(folder):
        raise SystemExit(f"error: {path} must lie in {MACHINES}/<its machine>")
    return place.relative_to(folder).parts[0]


if __name__ == "__main__":
    main()
