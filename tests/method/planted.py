"""A comparison whose answer is known: equal work, and work that was made longer."""

import random
from functools import partial

import torch

from labs.measure.rounds import interleave
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations

BASELINE, EQUAL, LONGER = "baseline", "equal", "longer"
SIZE, PRODUCTS = 256, 100
"""A call multiplies matrices of this size, so many times: some milliseconds on one core."""


@torch.no_grad()
def observe(process: int, longer: float, rounds: int, seed: int) -> Observations:
    """Return one process's observations; one arm does ``longer`` times the work of the others."""
    torch.manual_seed(seed)
    matrix = torch.randn(SIZE, SIZE)
    out = torch.empty_like(matrix)
    products = {
        BASELINE: PRODUCTS,
        aa_arm(BASELINE): PRODUCTS,
        EQUAL: PRODUCTS,
        LONGER: round(longer * PRODUCTS),
    }
    calls = {arm: partial(_multiply, matrix, out, count) for arm, count in products.items()}
    seen = Observations(process)
    for arm, timing in interleave(calls, rounds, random.Random(seed), "cpu").items():
        seen.timing(arm, timing)
    return seen


def _multiply(matrix: torch.Tensor, out: torch.Tensor, count: int) -> None:
    for _ in range(count):
        torch.mm(matrix, matrix, out=out)
