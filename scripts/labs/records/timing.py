"""One arm's samples in one process, from interleaved rounds."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Timing:
    """One arm's samples in one process: seconds per call, ``calls`` calls per sample.

    ``seconds`` is wall time. On cuda, ``device`` is the time by device events, and ``flushed`` that
    of single calls with a flushed L2 cache.
    """

    calls: int
    warm_up: list[float]
    seconds: list[float] = field(default_factory=list)
    device: list[float] = field(default_factory=list)
    flushed: list[float] = field(default_factory=list)
    throttled: int = 0

    def samples(self) -> tuple[list[float], list[float], list[float]]:
        """Return the lists that a round adds to."""
        return self.seconds, self.device, self.flushed
