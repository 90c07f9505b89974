"""Made-up records of a smoke run: all that the report reads, but for one that a job measures."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit import synthetic, synthetic_compression, synthetic_training
from tests.unit.mxint8 import synthetic as mxint8
from tests.unit.precision import synthetic as precision
from tests.unit.search import synthetic as search

MEASURED = "results/smoke/records/graphs.json"
"""Its texts are a model's, and not to be made up."""
PER_DEVICE = (
    synthetic.compilation(),
    synthetic.fusion(),
    mxint8.formulas(),
    mxint8.linear(),
    mxint8.memory(),
    mxint8.kernels(),
)
OTHERS = (
    synthetic_training.data(),
    synthetic_training.base(),
    synthetic_training.loops(),
    synthetic_training.lora(),
    synthetic_compression.quantization(),
    synthetic_compression.pruning(),
    synthetic_compression.ranges(),
    synthetic_compression.formats(),
    synthetic_compression.compression_speed(),
    mxint8.partition(rows=8),
    mxint8.accuracy(),
    precision.precision(),
    search.search(),
)


def write(repository: Path) -> None:
    """Write them where the smoke run of a repository has its records."""
    folder = repository / "results" / "smoke" / "records"
    rows = {f"{row['experiment']}/cpu.json": row for row in PER_DEVICE}
    rows |= {f"{row['experiment']}.json": row for row in OTHERS}
    for name, row in rows.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(row))
