"""The clock: wall time with the device synchronised on both sides."""

from __future__ import annotations

from collections.abc import Callable

from torch.utils.benchmark import timer

Call = Callable[[], object]


def seconds_per_call(call: Call, calls: int = 1) -> float:
    """Return the mean wall time of ``calls`` calls in a row, synchronised before and after.

    ``torch.utils.benchmark.timer`` waits for a CUDA device before it reads the clock; the lab's
    ``time.time()`` does not.
    """
    start = timer()
    for _ in range(calls):
        call()
    return (timer() - start) / calls


def every_call(call: Call, calls: int) -> list[float]:
    """Return the wall time of each of ``calls`` calls, the first included."""
    return [seconds_per_call(call) for _ in range(calls)]
