"""Comparisons: arms timed in random order within each round, and the ratios asked of them."""

import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

Call = Callable[[], object]
Samples = dict[str, list[float]]

WARM_UP = 3
"""Rounds before those that count."""
LEAST_SECONDS = 1.0
"""The least that all rounds of a comparison take, so that what slows the machine down for some
tenths of a second is not in most of them.
"""


@dataclass(frozen=True)
class Bound:
    """What is asked: ``arm`` at least ``least`` times as fast as ``over``."""

    arm: str
    over: str
    least: float


@dataclass(frozen=True)
class Comparison:
    """Ways to do the same, and how fast some should be; before its turn each is called ``warm``
    times, untimed, so that it finds its data in the caches.
    """

    title: str
    arms: Mapping[str, Call]
    bounds: list[Bound] = field(default_factory=list)
    warm: int = 0


def on_cpu(call: Call) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


class OnCuda:
    """Returns the seconds that a call's kernels take, by device events, with the L2 cache flushed.

    While the device flushes, the host runs ahead: the events hold no launch overhead.
    """

    def __init__(self) -> None:
        # Several times as much as any L2 holds.
        self.flush = torch.empty(1 << 28, dtype=torch.int8, device="cuda")

    def __call__(self, call: Call) -> float:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.flush.zero_()
        start.record()
        call()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3


def measure(
    comparison: Comparison, rounds: int, rng: random.Random, seconds: Callable[[Call], float]
) -> dict[str, Any]:
    """Return a comparison's samples, its medians, and the ratios of its bounds.

    Those are of ``rounds`` rounds, or of more, until LEAST_SECONDS have passed.
    """
    samples: Samples = {name: [] for name in comparison.arms}
    end = time.perf_counter() + LEAST_SECONDS
    turn = 0
    while turn < WARM_UP + rounds or time.perf_counter() < end:
        turn += 1
        for name in rng.sample(list(comparison.arms), len(comparison.arms)):
            for _ in range(comparison.warm):
                comparison.arms[name]()
            took = seconds(comparison.arms[name])
            if turn > WARM_UP:
                samples[name].append(took)
    return {
        "title": comparison.title,
        "medians_s": {name: statistics.median(taken) for name, taken in samples.items()},
        "bounds": [_judge(bound, samples) for bound in comparison.bounds],
        "samples_s": samples,
    }


def _judge(bound: Bound, samples: Samples) -> dict[str, Any]:
    """Return the ratio of the medians, and the quartiles of the ratios round by round."""
    over, arm = samples[bound.over], samples[bound.arm]
    ratio = statistics.median(over) / statistics.median(arm)
    by_round = [a / b for a, b in zip(over, arm, strict=True)]
    low, _, high = statistics.quantiles(by_round, n=4)
    return {
        "arm": bound.arm,
        "over": bound.over,
        "ratio": ratio,
        "quartiles": [low, high],
        "least": bound.least,
        "holds": ratio >= bound.least,
    }
