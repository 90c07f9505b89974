"""Made-up records of a smoke run: all that the report reads, but for one that a job measures."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.synthetic_run import OTHERS, PER_DEVICE

MEASURED = "results/smoke/records/graphs.json"
"""Its texts are a model's, and not to be made up."""


def write(repository: Path) -> None:
    """Write them where the smoke run of a repository has its records."""
    folder = repository / "results" / "smoke" / "records"
    rows = {f"{row['experiment']}/cpu.json": row for row in PER_DEVICE}
    rows |= {f"{row['experiment']}.json": row for row in OTHERS}
    for name, row in rows.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(row))
