"""Arms, modes and states of the compiler cache in the torch.compile experiment."""

from __future__ import annotations

EAGER, COMPILED = "eager", "compiled"

LAB, CORRECTED = "train+grad", "eval+no_grad"
TRAIN_NO_GRAD, EVAL_GRAD = "train+no_grad", "eval+grad"
MODES = (LAB, TRAIN_NO_GRAD, EVAL_GRAD, CORRECTED)
"""The lab's own code leaves out eval() and no_grad()."""

COLD, WARM = "cold", "warm"


def started(cache: str) -> str:
    """Return the state of a cache once the process has compiled something."""
    suffix = ", compiler started"
    return cache if cache.endswith(suffix) else cache + suffix
