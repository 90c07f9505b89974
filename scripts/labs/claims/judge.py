"""All claims of a set of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from labs import records
from labs.claims import (
    attention,
    base,
    compilation,
    compression_speed,
    formats,
    graphs,
    linear_relu,
    loops,
    lora,
    mxint8,
    pruning,
    quantization,
    ranges,
    reviews,
)

CLAIMS = {
    "data": [reviews.claims],
    "base": [base.claims],
    "loops": [loops.claims],
    "lora": [lora.claims],
    "compilation": [compilation.claims],
    "fusion": [attention.claims, linear_relu.claims],
    **mxint8.CLAIMS,
    "graphs": [graphs.claims],
    "quantization": [quantization.claims],
    "pruning": [pruning.claims],
    "ranges": [ranges.claims],
    "formats": [formats.claims],
    "compression_speed": [compression_speed.claims],
}


def judge(path: Path, root: Path, machine: str) -> list[dict[str, Any]]:
    """Return the claims that one record decides, as objects of claims.json.

    ``evidence`` is the record's path from ``root``.  Raises RecordError for a bad record.
    """
    record = records.read(path)
    evidence = path.resolve().relative_to(root.resolve()).as_posix()
    return [
        claim.as_row(machine, evidence)
        for claims in CLAIMS[record["experiment"]]
        for claim in claims(record)
    ]
