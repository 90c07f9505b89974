"""The GPU's own clock: device events, with a cache that is warm or flushed."""

from __future__ import annotations

import torch

from labs.measure.clock import Call

FLUSHED = 2
"""How many times its own size the L2 cache is written over to empty it."""


def device_seconds(call: Call, calls: int) -> float:
    """Return the mean time of ``calls`` calls in a row, by events before and after them.

    It leaves out what the host does before the first kernel starts; wall time holds it.
    """
    start, end = _events()
    start.record()
    for _ in range(calls):
        call()
    end.record()
    return _between(start, end) / calls


class Flushed:
    """Times calls that find nothing in the device's L2 cache."""

    def __init__(self) -> None:
        size = torch.cuda.get_device_properties(0).L2_cache_size
        self._buffer = torch.empty(FLUSHED * size, dtype=torch.uint8, device="cuda")

    def device_seconds(self, call: Call) -> float:
        """Return the time of one call.

        The host enqueues the call while the device still writes the buffer, so that a short call
        is not measured by its launch.
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
    """Return the seconds between two events, once the device has come to the second."""
    end.synchronize()
    return float(start.elapsed_time(end)) / 1e3
