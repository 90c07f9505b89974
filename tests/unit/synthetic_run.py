"""A record of each experiment: made up, or of the kept run."""

from __future__ import annotations

from tests.unit import kept, synthetic
from tests.unit.precision.synthetic import precision
from tests.unit.search.synthetic import search

KEPT = (
    *("reviews", "base_model", "loops", "lora", "graphs", "ranges", "formats"),
    *("compression_speed", "mxint8_formulas/cpu", "mxint8_linear/cpu", "mxint8_memory/cpu"),
    *("mxint8_kernels/cpu", "mxint8_partition", "mxint8_accuracy", "quantization", "pruning"),
)
RECORDS = {
    record["experiment"]: record
    for record in (
        *map(kept.record, KEPT),
        synthetic.compilation(),
        synthetic.compilation_modes(),
        synthetic.fusion(),
        precision(),
        search(),
    )
}
"""By experiment."""
