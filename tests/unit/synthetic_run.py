"""A made-up record of each experiment; of graphs it has no texts that a model could have."""

from __future__ import annotations

from tests.unit import synthetic, synthetic_compression, synthetic_training
from tests.unit.mxint8 import synthetic as mxint8
from tests.unit.precision import synthetic as precision
from tests.unit.search import synthetic as search

PER_DEVICE = (
    synthetic.compilation(),
    synthetic.compilation_modes(),
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
