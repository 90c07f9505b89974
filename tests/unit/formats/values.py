"""A million numbers: those that are hard for number formats, and plain ones."""

from typing import Any

import numpy as np
import torch

from labs.formats.factory import make_quantizer
from labs.formats.quantizer import Quantizer

COUNT = 1_000_000


def quantizer(name: str, **parameters: Any) -> Quantizer:
    return make_quantizer({"name": name, **parameters})


def awkward(seed: int = 0) -> np.ndarray:
    """Return a million float32 numbers in random order, none of them NaN or infinite.

    Random bit patterns (subnormals, huge ones), powers of two and numbers halfway between their
    multiples, each with its neighbours, zeros of both signs, and normal numbers of many scales.
    """
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 2**32, COUNT // 4, dtype=np.uint64).astype(np.uint32)
    patterns = patterns.view(np.float32)
    powers = np.ldexp(1.0, np.arange(-149, 128))
    steps = np.ldexp(rng.integers(1, 2**9, COUNT // 16), rng.integers(-20, 12, COUNT // 16))
    exact = np.concatenate([powers, 1.5 * powers, steps, steps / 2]).astype(np.float32)
    up, down = (np.nextafter(exact, np.float32(limit)) for limit in (np.inf, 0))
    chosen = np.concatenate([patterns[np.isfinite(patterns)], exact, up, down, [0.0, -0.0]])
    scales = np.exp2(rng.integers(-12, 8, COUNT - len(chosen)))
    numbers = np.concatenate([chosen, rng.standard_normal(len(scales)) * scales])
    numbers = numbers.astype(np.float32) * rng.choice([-1, 1], COUNT).astype(np.float32)
    rng.shuffle(numbers)
    return numbers[np.isfinite(numbers)]


def same(result: torch.Tensor, expected: np.ndarray, x: np.ndarray) -> None:
    """Assert that all numbers are equal; if not, show some inputs and outputs."""
    found = result.numpy()
    wrong = ~((found == expected) | (np.isnan(found) & np.isnan(expected)))
    assert found.shape == expected.shape
    assert not wrong.any(), (
        f"{wrong.sum()} of {wrong.size} differ, such as {x[wrong][:3]}: "
        f"{found[wrong][:3]}, expected {expected[wrong][:3]}"
    )


def nearest_of(grid: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the nearest numbers of a grid, found by search; ties go to the even index.

    ``grid`` holds all magnitudes of a format in ascending order, zero first, as float64;
    those beyond float32 are left out.
    """
    grid, magnitude = grid[grid <= np.finfo(np.float32).max], np.abs(x.astype(np.float64))
    above = np.searchsorted(grid, magnitude).clip(1, len(grid) - 1)
    to_above, to_below = grid[above] - magnitude, magnitude - grid[above - 1]
    upper = (to_above < to_below) | ((to_above == to_below) & (above % 2 == 0))
    nearest = np.copysign(np.where(upper, grid[above], grid[above - 1]), x)
    return np.asarray(nearest, np.float32)
