"""The arms of the MXINT8 experiments, and the kinds of tensors of a model."""

from collections.abc import Collection

FLOAT32, BFLOAT16 = "float32", "bfloat16"
WEIGHTS, BOTH = "MXINT8 weights", "MXINT8 weights and activations"
READING = "reading the packed weight"
SHORT = {FLOAT32: "float32", BFLOAT16: "bfloat16", WEIGHTS: "weights", BOTH: "both"}
"""What the formats of a layer are called in the names of values, the baseline first."""

PACKED, DECODED_WHOLE = "mxint8", "mxint8, decoded whole"
LOOP = "loop over named_modules"
"""Models whose memory is measured: layers decode in the kernel, or the whole weight before each
call; and the lab's loop that converts a model."""

LAB_MODEL = "deberta-xlarge"
MODELS = {LAB_MODEL: "DeBERTa-xlarge", "deberta-v3-small": "DeBERTa-v3-small"}
"""What the report calls the models whose memory is measured."""

QUANTIZED, LEFT_ALONE = "quantized Linear weights", "Linear weights left alone"
EMBEDDINGS, BIASES = "embeddings", "Linear biases"
NORMALIZATION, OTHERS = "normalization", "others"
KINDS = (QUANTIZED, EMBEDDINGS, BIASES, NORMALIZATION, LEFT_ALONE, OTHERS)

OUT, FORMULA, PACKAGE = "out", "formula", "mxint_cuda"
THROUGH_BFLOAT16 = "through BF16"
FLOOR, CEIL = "floor", "ceil"
"""Decoders, encoders, and how the scale is rounded."""

LOWEST = -128
"""The only mantissa whose magnitude needs eight bits; no encoder emits it."""

NO_IMPLICIT_ONE, EIGHT_BITS = "no implicit one in BF16", "magnitude of eight bits"
INFINITY, UNEXPLAINED = "infinity instead of NaN", "unexplained"
CAUSES = (NO_IMPLICIT_ONE, EIGHT_BITS, INFINITY)
"""Why the lab's formula decodes a pair wrongly."""

SCALAR, VECTORISED, CUTE, NAIVE = "scalar", "vectorised", "cute", "element-wise"
WHOLE_GROUPS, RAGGED, TALL = "whole groups", "ragged", "tall"
"""The kernels, and the examples of CuTe's partition."""


def lab_size(group_sizes: Collection[int]) -> int:
    """Return the lab's group size, or the smallest if it is not among these."""
    return 32 if 32 in group_sizes else min(group_sizes)


TABLES = (
    "mxint8_accuracy",
    "mxint8_linear_energy",
    "mxint8_formulas_decoded",
    "mxint8_formulas_wrong",
    "mxint8_formulas_causes",
    "mxint8_formulas_twins",
    "mxint8_kernels_clocks",
    "mxint8_kernels_rates",
    "mxint8_linear_clocks",
    "mxint8_linear_time",
    "mxint8_linear_counts",
    "mxint8_memory_account",
    "mxint8_memory_waterfall",
    "mxint8_partition_owners",
    "mxint8_partition_transactions",
    "mxint8_partition_tiles",
)
FIGURES = (
    "mxint8_partition_tiles",
    "mxint8_partition_threads",
    "mxint8_partition_transactions",
)
FIGURES_PER_DEVICE = (
    "mxint8_formulas_decoded",
    "mxint8_formulas_twins",
    "mxint8_formulas_wrong",
    "mxint8_linear_time",
    "mxint8_linear_costs",
    "mxint8_memory_account",
    "mxint8_memory_waterfall",
)
