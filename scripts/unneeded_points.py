"""List, or delete, stored trainings and evaluations that no preset's records use.

They were left by changed code or settings, deleted results or failed evaluations, or by a run that
has not ended, which would go on from them.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from labs.records.quantity import counted
from labs.records.reading import RecordError, read


def unneeded(results: Path) -> list[Path]:
    """Return the files in the studies of a folder of results that none of its records needs.

    Raises RecordError for a record that cannot be read: it could need any of them.
    """
    needed = {
        name
        for kind in ("records", "parts")
        for path in results.glob(f"*/{kind}/**/*.json")
        for name in read(path).get("evaluations", [])
    }
    files = (path for path in (results / "studies").rglob("*") if path.is_file())
    return sorted(path for path in files if path.stem not in needed)


def size(paths: Iterable[Path]) -> str:
    """Return how large files are together."""
    return counted(sum(path.stat().st_size for path in paths), "bytes").point


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--results", type=Path, required=True, help="folder of all presets' results"
    )
    parser.add_argument("--delete", action="store_true", help="delete what is listed")
    arguments = parser.parse_args()
    try:
        found = unneeded(arguments.results)
    except RecordError as error:
        raise SystemExit(f"error: {error}") from error
    for path in found:
        print(f"{size([path]):>9}  {path}")
    print(f"Files that no record of any preset needs: {len(found)}, {size(found)}")
    if arguments.delete:
        for path in found:
            path.unlink()
        print("They are deleted.")


if __name__ == "__main__":
    main()
