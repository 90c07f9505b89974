"""All figures of the report."""

from labs.experiments.compilation import figures as compilation
from labs.experiments.compression.pruning import figures as pruning
from labs.experiments.compression.quantization import figures as quantization
from labs.experiments.compression.ranges import figures as ranges
from labs.experiments.compression.speed import figures as speed
from labs.experiments.fusion.attention import figures as attention
from labs.experiments.fusion.linear_relu import figures as linear_relu
from labs.experiments.graphs.difference import figures as difference
from labs.experiments.graphs.modules import figures as modules
from labs.experiments.loops import figures as loops
from labs.experiments.lora import figures as lora
from labs.experiments.mxint8.formulas import figures as formulas
from labs.experiments.mxint8.linear import figures as linear
from labs.experiments.mxint8.memory import figures as memory
from labs.experiments.mxint8.partition import figures as partition
from labs.experiments.precision import figures as precision
from labs.experiments.search.compression import figures as compression
from labs.experiments.search.epochs import figures as epochs
from labs.experiments.search.lab_space import figures as lab_space
from labs.experiments.search.samplers import figures as samplers
from labs.figures import published

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
