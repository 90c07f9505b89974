"""GPU time by device events, with a warm or a flushed cache."""

import torch

from labs.measure.call import Call

FLUSHED = 2
"""Bytes written to flush the L2 cache, as a multiple of its size."""


def device_seconds(call: Call, calls: int) -> float:
    """Return the mean time, in seconds, of ``calls`` calls in a row, by events around them.

    Unlike wall time, it excludes the host's work before the first kernel starts.
    """
    start, end = _events()
    start.record()
    for _ in range(calls):
        call()
    end.record()
    return _between(start, end) / calls


class Flushed:
    """Times calls that start with a flushed L2 cache."""

    def __init__(self) -> None:
        size = torch.cuda.get_device_properties(0).L2_cache_size
        self._buffer = torch.empty(FLUSHED * size, dtype=torch.uint8, device="cuda")

    def device_seconds(self, call: Call) -> float:
        """Return the time of one call, in seconds.

        The host enqueues the call while the device still writes the buffer, so that a short call's
        time is not its launch overhead.
        """
        start, end = _events()
        self._buffer.zero_()
        start.record()
        call()
        end.record()
        return _between(start, end)


def _events() -> tuple[torch.cuda.Event, torch.cuda.Event]:
    return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)


def _between(start: torch.cuda.Event, end: torch.cuda.Event) -> float:
    """Wait for the second event; return the seconds between the two."""
    end.synchronize()
    return float(start.elapsed_time(end)) / 1e3
