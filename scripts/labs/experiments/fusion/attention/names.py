"""The arms of the attention experiment, and its two checks."""

NAIVE, FUSED = "naive", "fused"
COMPARED = (NAIVE, FUSED)
"""The arms at every shape; the others are timed at the lab's alone."""
COMPILED, NOT_REWRITTEN = "compiled naive", "compiled naive, no rewrite"
PRODUCTS = "matrix products alone"
MATH = "math backend"
"""The operator that is fused, made to run its parts one after another."""

LAB, SWEEP = "lab", "sweep"
"""The shapes: the lab's own, and that of the sweep over sequence lengths."""

LAB_DTYPE = "float16"
"""The number format of the lab's code, also timed in blocks of n calls."""

LAB_CHECK, REAL_CHECK = "the lab's check", "the whole output"
