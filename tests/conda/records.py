"""Records of a kept run: all that the report reads, but for one that a job measures."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

from tests.report.quick import KEPT, RECORDS

MEASURED = "results/smoke/records/graphs.json"


def write(repository: Path) -> None:
    """Write them where the smoke run of a repository has its records."""
    with ZipFile(KEPT) as archive:
        for name in archive.namelist():
            path = repository / "results" / "smoke" / "records" / Path(name).relative_to(RECORDS)
            if path != repository / MEASURED:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
