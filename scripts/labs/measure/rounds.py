"""Interleaved rounds: every arm once in each round, in random order."""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Mapping
from typing import TypeVar

from labs.measure.clock import Call, every_call, seconds_per_call
from labs.measure.events import Flushed, device_seconds
from labs.measure.throttling import throttled
from labs.records.timing import Timing

Arm = TypeVar("Arm", bound=Hashable)

SAMPLE_SECONDS = 0.02
"""A sample lasts at least this long, so that the clock's own cost stays below a thousandth."""

MOST_WARM_UP_CALLS = 10


def warm_up(call: Call) -> list[float]:
    """Call until three successive times agree within 10 %; return the seconds of every call."""
    seconds = every_call(call, 3)
    while len(seconds) < MOST_WARM_UP_CALLS and max(seconds[-3:]) > 1.1 * min(seconds[-3:]):
        seconds += every_call(call, 1)
    return seconds


def interleave(
    arms: Mapping[Arm, Call], rounds: int, rng: random.Random, device: str
) -> dict[Arm, Timing]:
    """Warm up every arm, run each once per round in random order, and return their timings.

    Samples taken while the GPU is throttled are discarded and counted.
    """
    timings = {}
    for arm, call in arms.items():
        warm = warm_up(call)
        timings[arm] = Timing(max(1, math.ceil(SAMPLE_SECONDS / min(warm))), warm)
    flushed = Flushed() if device == "cuda" else None
    for _ in range(rounds):
        for arm in rng.sample(list(arms), len(arms)):
            timing, call = timings[arm], arms[arm]
            seconds = [seconds_per_call(call, timing.calls)]
            if flushed:
                seconds += [device_seconds(call, timing.calls), flushed.device_seconds(call)]
            if throttled(device):
                timing.throttled += 1
                continue
            for kept, second in zip(timing.samples(), seconds, strict=False):
                kept.append(second)
    return timings
