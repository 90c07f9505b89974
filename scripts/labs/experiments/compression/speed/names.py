"""The arms of the experiment on the speed of compressed models."""

STEP, INFERENCE = "training step", "inference"
"""The two parts of the experiment."""

FLOAT32, FAKE, OPERATOR = "float32", "fake-quantized", "torch's operator"
STEPS = (FLOAT32, FAKE, OPERATOR)
DENSE = "dense"
ZEROS, SKIPPED, SMALLER = "zeros", "zeros skipped", "smaller"
WAYS = (ZEROS, SKIPPED, SMALLER)
"""The ways to prune: zeros stored, zeros skipped, and smaller matrices."""


def pruned(way: str, sparsity: float) -> str:
    """Return the arm of a model pruned to a sparsity in one of the WAYS."""
    return f"{way}, {sparsity}"
