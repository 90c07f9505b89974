"""All figures of the report."""

from reporting.figures import compilation, loops, lora, precision, published
from reporting.figures.compression import pruning, quantization, ranges, speed
from reporting.figures.fusion import attention, linear_relu
from reporting.figures.graphs import difference, modules
from reporting.figures.mxint8 import formulas, linear, memory, partition
from reporting.figures.search import compression, epochs, lab_space, samplers

FIGURES = tuple(
    figure
    for module in (
        published,
        loops,
        lora,
        modules,
        difference,
        quantization,
        ranges,
        pruning,
        speed,
        samplers,
        lab_space,
        epochs,
        compression,
        precision,
        compilation,
        attention,
        linear_relu,
        formulas,
        linear,
        memory,
        partition,
    )
    for figure in module.FIGURES
)
"""One line per module that draws."""
