"""Profiler tables: the time of each operator."""

from collections.abc import Collection

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from labs.measure.call import Call
from labs.measure.clock import seconds_per_call
from labs.records.rows import Operator

ROWS = 8
"""Operators kept per profile, the longest first."""


def profile_table(call: Call, calls: int, device: str) -> list[Operator]:
    """Return the operators with the most self time, in seconds over ``calls`` calls."""
    call()
    seconds = sorted(_own_times(call, calls, device), key=lambda row: -row[2])
    total = sum(own for _, _, own in seconds)
    return [
        {"operator": name, "calls": count, "seconds": own, "share": own / total}
        for name, count, own in seconds[:ROWS]
        if own > 0
    ]


def seconds_in(operators: Collection[str], call: Call, device: str) -> tuple[float, float]:
    """Return how long one call spends in these operators, and how long it takes, in seconds.

    On cuda it takes what its kernels take. On a CPU it takes its wall time: kernels that Inductor
    wrote are no operators, and the profiler does not see them.
    """
    whole: list[float] = []
    times = _own_times(lambda: whole.append(seconds_per_call(call)), 1, device)
    inside = sum(own for name, _, own in times if name in operators)
    return inside, sum(own for *_, own in times) if device == "cuda" else whole[0]


def _own_times(call: Call, calls: int, device: str) -> list[tuple[str, int, float]]:
    """Return each operator's name, number of calls, and own time in seconds over all of them.

    On cuda that is the time of the kernels that it starts, which have rows of their own besides.
    """
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if device == "cuda" else [])
    with profile(activities=activities) as profiler:
        for _ in range(calls):
            call()
        if device == "cuda":
            torch.cuda.synchronize()
    clock = "self_device_time_total" if device == "cuda" else "self_cpu_time_total"
    return [
        (event.key, int(event.count), float(getattr(event, clock)) / 1e6)
        for event in profiler.key_averages()
        if event.device_type == DeviceType.CPU
    ]
