"""A run as it is kept to be compared with later ones: one JSON file, replaced whole."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from labs.claims.claim import Claim
from labs.files import write_text
from labs.records.reading import read
from labs.setup.sources import digest
from reporting import ReportError
from reporting.reading import read_table

MACHINE, SAMPLES, CODE = "machine", "samples", "code"
CODE_FILES = (
    "scripts/**/*.py",
    "workflow/rules/**/*.smk",
    "mxint_cuda/CMakeLists.txt",
    "mxint_cuda/csrc/*",
    "mxint_cuda/emulator/**/*.*",
    "mxint_cuda/python/**/*.py",
    "report/*.yaml",
    "envs/*.txt",
)


@dataclass(frozen=True)
class Run:
    """What a report was written from, but for the samples.

    ``claims`` are those of claims.json, ``values`` the rows of values.csv. ``facts`` say what the
    machine was, when each record was finished, by its path, what each file of code held, and the
    settings of each record.
    """

    claims: list[dict[str, Any]]
    values: list[dict[str, str]]
    facts: dict[str, dict[str, str]]

    @property
    def measured(self) -> str:
        """Return when the last record was finished."""
        return self.facts[MACHINE]["measured"]


def place(results: Path) -> Path:
    """Return the file that keeps the accepted run of a preset; no rule owns its folder."""
    return results / "accepted" / "run.json"


def gather(results: Path) -> Run:
    """Return the run whose report lies in results/<preset>; the working directory is the root.

    Raises ReportError where there is no report, or it is not finished.
    """
    again = f"run make report PRESET={results.name} first"
    report, tables = results / "report", results / "tables"
    if not (report / "report.pdf").exists():
        raise ReportError(f"there is no report in {report}: {again}")
    try:
        machine, settings, jobs, values = (
            [dict(row) for row in read_table(tables / f"{name}.csv").rows]
            for name in ("machine", "settings", "jobs", "values")
        )
        records = {row["record"]: read(Path(row["record"])) for row in jobs}
        code = sorted(path for pattern in CODE_FILES for path in Path().glob(pattern))
        facts = {
            MACHINE: {row["key"]: row["value"] for row in machine},
            SAMPLES: {path: one["finished"] for path, one in records.items() if "finished" in one},
            CODE: {str(path): digest(str(path)) for path in code},
        }
        for row in settings:
            facts.setdefault(row["record"], {})[row["setting"]] = row["value"]
        claims = json.loads((report / "claims.json").read_text(encoding="utf-8"))
    except (OSError, KeyError, ValueError, ReportError) as error:
        raise ReportError(f"the report in {results} is not whole ({error}): {again}") from error
    run = Run(claims, values, facts)
    if run.measured != max(facts[SAMPLES].values(), default="nothing"):
        raise ReportError(f"a record in {results} is newer than the report: {again}")
    return run


def keep(run: Run, path: Path) -> None:
    """Write a run in one step in place of the one that was kept."""
    write_text(path, json.dumps(asdict(run), indent=1, allow_nan=False) + "\n")


def kept(path: Path) -> Run:
    """Return the run that was kept. Raises ReportError for a file that another code wrote."""
    try:
        run = Run(**json.loads(path.read_text(encoding="utf-8")))
        # What sections of the page are about.
        _ = run.measured, run.facts[SAMPLES], run.facts[CODE], list(map(Claim.read, run.claims))
    except (ValueError, TypeError, KeyError) as error:
        raise ReportError(
            f"{path} cannot be read ({error}): run make accept on a run that you trust"
        ) from error
    return run
