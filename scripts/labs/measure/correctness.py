"""Correctness before speed: whole outputs are compared, and an arm that fails is not timed."""

import torch

from labs.records.rows import Comparison

TOLERANCE = {torch.float32: 1e-4, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""Largest error allowed, relative to the largest magnitude of the reference."""


def compare(output: torch.Tensor, reference: torch.Tensor) -> Comparison:
    """Return the largest error of the whole output against the reference, and whether it passes.

    The error is relative to the reference's largest magnitude; NaN anywhere fails.  Raises
    ValueError when the shapes differ.
    """
    if output.shape != reference.shape:
        raise ValueError(f"shapes differ: {tuple(output.shape)} and {tuple(reference.shape)}")
    difference = (output.double() - reference.double()).abs().max().item()
    scale = reference.double().abs().max().item()
    error = difference / scale if scale else difference
    tolerance = TOLERANCE[output.dtype]
    return {"error": error, "tolerance": tolerance, "passed": bool(error <= tolerance)}


def require(result: Comparison, what: str) -> Comparison:
    """Return the result of a comparison that passed; raise ArithmeticError for one that did not."""
    if not result["passed"]:
        raise ArithmeticError(
            f"{what}: error {result['error']:.3g} exceeds the tolerance {result['tolerance']:.3g}; "
            "an arm with wrong results is not timed"
        )
    return result
