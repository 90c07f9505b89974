"""Interleaved rounds: every arm once in each round, in random order."""

import math
import random
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import TypeVar

from labs.measure.call import Call
from labs.measure.clock import every_call, seconds_per_call
from labs.measure.disturbance import counters
from labs.measure.events import Flushed, device_seconds
from labs.measure.throttling import throttled
from labs.records.names.timing import SAMPLE_SECONDS
from labs.records.timing import Measurement, Timing

Arm = TypeVar("Arm", bound=Hashable)

MOST_WARM_UP_CALLS = 10

RETAKE_SECONDS = 5.0
"""How long a comparison's disturbed samples are taken again, after the rounds asked for."""

PROCESS_RETAKE_SECONDS = 20.0
"""The same, in all comparisons of a process: where each is disturbed, retaking gains little."""

spent_retaking = 0.0
"""Seconds, in all comparisons of this process so far."""


def warm_up(call: Call) -> list[float]:
    """Call until three successive times agree within 10 %, at most MOST_WARM_UP_CALLS times.

    Returns the seconds of every call.
    """
    seconds = every_call(call, 3)
    while len(seconds) < MOST_WARM_UP_CALLS and max(seconds[-3:]) > 1.1 * min(seconds[-3:]):
        seconds += every_call(call, 1)
    return seconds


def interleave(
    arms: Mapping[Arm, Call], rounds: int, rng: random.Random, device: str
) -> dict[Arm, Timing]:
    """Warm up every arm, take a sample of each per round in random order, and return their timings.

    A call that is two arms, for the noise floor, is warmed up once. A sample that others disturbed
    is taken again in a later round, until every arm has ``rounds`` undisturbed ones. If the time
    for that ends first, the disturbed samples count as well. A GPU that is throttled disturbs a
    sample, too; such samples are counted.
    """
    timings = {}
    warm: dict[Call, list[float]] = {}
    for arm, call in arms.items():
        seconds = [] if call in warm else warm.setdefault(call, warm_up(call))
        timings[arm] = Timing(max(1, math.ceil(SAMPLE_SECONDS / min(warm[call]))), seconds)
    return _fill(timings, lambda arm: arms[arm], rounds, rng, device)


def interleave_from_first_call(
    arms: Mapping[Arm, Call], rounds: int, rng: random.Random
) -> dict[Arm, list[Measurement]]:
    """Call every arm once per round in random order, from its first call on; return every sample.

    Nothing is taken again: the time of an arm's first n calls is the sum of what they took.
    """
    taken: dict[Arm, list[Measurement]] = {arm: [] for arm in arms}
    for _ in range(rounds):
        for arm in rng.sample(list(arms), len(arms)):
            taken[arm].append(_sample(arms[arm], 1, None))
    return taken


def interleave_fresh(
    arms: Iterable[Arm], make: Callable[[Arm], Call], rounds: int, rng: random.Random, device: str
) -> dict[Arm, Timing]:
    """Do as ``interleave`` with calls that run once each: ``make`` returns one for each sample.

    It makes them before their time begins; no arm is warmed up. Their wall time alone is taken.
    """
    timings = {arm: Timing(1, []) for arm in arms}
    return _fill(timings, make, rounds, rng, device, once=True)


def interleave_blocks(
    arms: Mapping[Arm, Call], counts: Iterable[int], rng: random.Random, device: str
) -> dict[tuple[Arm, int], Timing]:
    """Time blocks of calls of warm arms in random order: one of each of the ``counts`` of each.

    The sample of a block is the mean of its calls.
    """
    blocks = {(arm, number): Timing(number, []) for number in counts for arm in arms}
    return _fill(blocks, lambda block: arms[block[0]], 1, rng, device)


def _fill(
    timings: dict[Arm, Timing],
    call: Callable[[Arm], Call],
    rounds: int,
    rng: random.Random,
    device: str,
    once: bool = False,
) -> dict[Arm, Timing]:
    """Return the timings with their samples; each clock of cuda calls again, unless ``once``."""
    global spent_retaking
    flushed = Flushed() if device == "cuda" and not once else None
    taken: dict[Arm, list[Measurement]] = {arm: [] for arm in timings}
    start, end = time.monotonic(), math.inf
    for number in count():
        good = {arm: sum(not one.disturbed for one in samples) for arm, samples in taken.items()}
        wanting = [arm for arm in timings if good[arm] < rounds]
        if number == rounds:
            start = time.monotonic()
            end = start + min(RETAKE_SECONDS, PROCESS_RETAKE_SECONDS - spent_retaking)
        if not wanting or time.monotonic() > end:
            break
        for arm in rng.sample(wanting, len(wanting)):
            sample = _sample(call(arm), timings[arm].calls, flushed)
            if throttled(device):
                timings[arm].throttled += 1
                sample = replace(sample, disturbed=True)
            taken[arm].append(sample)
    spent_retaking += time.monotonic() - start
    for arm, timing in timings.items():
        timing.count(taken[arm], disturbed_too=bool(wanting))
    return timings


def _sample(call: Call, calls: int, flushed: Flushed | None) -> Measurement:
    """Take one sample; on cuda, by all three clocks."""
    before = counters()
    seconds = [seconds_per_call(call, calls)]
    if flushed:
        seconds += [device_seconds(call, calls), flushed.device_seconds(call)]
    return Measurement(tuple(seconds), counters().disturbed_since(before))
