"""Wall time, with the device synchronised before and after."""

from torch.utils.benchmark import timer

from labs.measure.call import Call


def seconds_per_call(call: Call, calls: int = 1) -> float:
    """Return the mean wall time, in seconds, of ``calls`` calls in a row.

    ``torch.utils.benchmark.timer`` waits for a CUDA device before it reads the clock; the lab's
    ``time.time()`` does not.
    """
    start = timer()
    for _ in range(calls):
        call()
    return (timer() - start) / calls


def every_call(call: Call, calls: int) -> list[float]:
    """Return the wall time, in seconds, of each of ``calls`` calls, the first included."""
    return [seconds_per_call(call) for _ in range(calls)]
