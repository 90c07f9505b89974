"""The samples of arms in one process, from interleaved rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Measurement:
    """One sample, in seconds per call: wall time, then on cuda the other two of ``Timing``."""

    seconds: tuple[float, ...]
    disturbed: bool


@dataclass
class Timing:
    """One arm's samples in one process: seconds per call, ``calls`` calls per sample.

    ``seconds`` is wall time. On cuda, ``device`` is the time by device events, and ``flushed`` that
    of single calls with a flushed L2 cache. ``disturbed`` is the wall time of samples that do not
    count, because others took the processor or the GPU was throttled; where too few were left
    without them, they count, and ``kept`` is their number.
    """

    calls: int
    warm_up: list[float]
    seconds: list[float] = field(default_factory=list)
    device: list[float] = field(default_factory=list)
    flushed: list[float] = field(default_factory=list)
    disturbed: list[float] = field(default_factory=list)
    kept: int = 0
    throttled: int = 0

    def count(self, samples: list[Measurement], disturbed_too: bool) -> None:
        """Take over these samples; leave the disturbed ones out unless told otherwise."""
        for sample in samples:
            if sample.disturbed and not disturbed_too:
                self.disturbed.append(sample.seconds[0])
                continue
            self.kept += sample.disturbed
            kinds = (self.seconds, self.device, self.flushed)
            for kept, second in zip(kinds, sample.seconds, strict=False):
                kept.append(second)

    def each_of(self, items: int) -> Timing:
        """Return the times of each of the ``items`` that a call handles."""

        def each(seconds: list[float]) -> list[float]:
            return [second / items for second in seconds]

        return replace(
            self,
            calls=self.calls * items,
            warm_up=each(self.warm_up),
            seconds=each(self.seconds),
            device=each(self.device),
            flushed=each(self.flushed),
            disturbed=each(self.disturbed),
        )


def log_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> float:
    """Return the logarithm of the ratio of two arms: the median over rounds of their samples'.

    The samples of a round follow each other, and share the speed that the machine has just then,
    which may be another in the next. Both are in the order in which they were taken: the k-th of
    two arms are of one round, or of neighbouring ones where a sample was taken again. Where one arm
    has more, the first count.
    """
    rounds = zip(numerators, denominators, strict=False)
    return float(np.median([math.log(above / below) for above, below in rounds]))
