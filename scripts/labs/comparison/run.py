"""A run as it is kept to be compared with later ones: one JSON file, replaced whole."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from labs.comparison import ComparisonError, around
from labs.comparison.around import Facts
from labs.files import write_text
from labs.measure.commit import NONE, commit
from labs.records.reading import read
from labs.records.record import now


@dataclass(frozen=True)
class Run:
    """What a report was written from, but for the samples.

    ``taken`` is when this was gathered, ``commit`` what was checked out then. ``around`` are facts
    by record or folder; ``finished`` says when each record was, by its path. ``claims`` are those
    of claims.json, ``tables`` the texts of CSV files, ``figures`` drawings with their alternative
    texts.
    """

    taken: str
    commit: str
    around: dict[str, Facts]
    finished: dict[str, str]
    claims: list[dict[str, Any]]
    tables: dict[str, str]
    figures: dict[str, dict[str, str]]

    @property
    def measured(self) -> str:
        """Return when the last record was finished."""
        return max(self.finished.values())


def place(results: Path) -> Path:
    """Return the file that keeps the accepted run of a preset; no rule owns its folder."""
    return results / "accepted" / "run.json"


def gather(results: Path) -> Run:
    """Return the run whose report lies in results/<preset>; the working directory is the root.

    Raises ComparisonError where there is no report, or it is not finished.
    """
    again = f"run make report PRESET={results.name} first"
    if not (results / "report" / "report.pdf").exists():
        raise ComparisonError(f"there is no report in {results / 'report'}: {again}")
    try:
        claims = json.loads((results / "report" / "claims.json").read_text(encoding="utf-8"))
        tables = {path.stem: path.read_text("utf-8") for path in _files(results, "tables/*.csv")}
        figures = {path.stem: _figure(path) for path in _files(results, "figures/*.svg")}
        records = {row["record"]: read(Path(row["record"])) for row in _rows(tables["jobs"])}
        machine = {row["key"]: row["value"] for row in _rows(tables["machine"])}
    except (OSError, KeyError, ValueError) as error:
        raise ComparisonError(f"the report in {results} is not whole ({error}): {again}") from error
    finished = {path: one["finished"] for path, one in records.items() if "finished" in one}
    if machine["measured"] != max(finished.values(), default=""):
        raise ComparisonError(f"a record in {results} is newer than the report: {again}")
    known = around.programs()
    beside = {_name(record): around.of_record(record, known) for record in records.values()}
    return Run(
        taken=now(),
        commit=_commit(),
        around=beside | around.of_folder(results),
        finished=finished,
        claims=claims,
        tables=tables,
        figures=figures,
    )


def keep(run: Run, path: Path) -> None:
    """Write a run in one step in place of the one that was kept."""
    write_text(path, json.dumps(asdict(run), indent=1, allow_nan=False) + "\n")


def kept(path: Path) -> Run:
    """Return the run that was kept. Raises ComparisonError for a file that another code wrote."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return Run(**{field.name: found[field.name] for field in fields(Run)})
    except (ValueError, KeyError, TypeError) as error:
        raise ComparisonError(
            f"{path} cannot be read ({error}): run make accept on a run that you trust"
        ) from error


def _files(results: Path, pattern: str) -> list[Path]:
    return sorted(results.glob(pattern))


def _rows(table: str) -> csv.DictReader[str]:
    return csv.DictReader(io.StringIO(table))


def _figure(path: Path) -> dict[str, str]:
    alt = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["alt"]
    return {"svg": path.read_text(encoding="utf-8"), "alt": alt}


def _name(record: dict[str, Any]) -> str:
    return f"{record['experiment']}, {record['device']}".replace("_", " ")


def _commit() -> str:
    """Return the commit that is checked out, and whether what measures was edited since."""
    found = commit()
    return found["commit"] if found["changes"] in ("clean", NONE) else f"{found['commit']}, edited"
