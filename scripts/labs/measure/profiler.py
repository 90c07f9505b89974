"""Profiler tables: the time of each operator."""

from __future__ import annotations

from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from labs.measure.clock import Call

ROWS = 8
"""Operators kept per profile, the longest first."""


def profile_table(call: Call, calls: int, device: str) -> list[dict[str, Any]]:
    """Return the operators with the most self time, in seconds over ``calls`` calls."""
    call()
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if device == "cuda" else [])
    with profile(activities=activities) as profiler:
        for _ in range(calls):
            call()
        if device == "cuda":
            torch.cuda.synchronize()

    def own_time(event: Any) -> float:
        time = event.self_device_time_total if device == "cuda" else event.self_cpu_time_total
        return float(time) / 1e6

    events = sorted(profiler.key_averages(), key=own_time, reverse=True)
    total = sum(own_time(event) for event in events)
    return [
        {
            "operator": event.key,
            "calls": int(event.count),
            "seconds": own_time(event),
            "share": own_time(event) / total if total else 0.0,
        }
        for event in events[:ROWS]
        if own_time(event) > 0
    ]
