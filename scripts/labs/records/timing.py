"""One arm's samples in one process: what interleaved rounds produce and a record keeps."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Timing:
    """One arm's samples in one process: seconds a call, ``calls`` calls a sample.

    ``seconds`` is wall time. On cuda, ``device`` is the same by device events, and ``flushed`` is
    that of single calls that find the L2 cache empty.
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
