"""Peak memory of a call, counted by torch's allocator."""

import json
import tempfile
from pathlib import Path

import torch

from labs.measure.call import Call


def peak_bytes(call: Call, device: str) -> int:
    """Return a call's peak memory in bytes, beyond what was allocated before it.

    On cuda it comes from the caching allocator's counter; on a CPU, which has none, from the
    running sum of the profiler's allocation events.  Scratch memory of oneDNN and MKL bypasses
    torch's allocator and is not counted.
    """
    if device == "cuda":
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
    ) as profiler:
        call()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text())["traceEvents"]
    steps = sorted(
        (event["ts"], event["args"]["Bytes"]) for event in events if event.get("name") == "[memory]"
    )
    held = peak = 0
    for _, change in steps:
        held += change
        peak = max(peak, held)
    return peak
