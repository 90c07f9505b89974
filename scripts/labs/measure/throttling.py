"""Whether the GPU runs below its clocks: samples taken then are worth nothing."""

from __future__ import annotations

from labs.measure.gpu import handle

HARMFUL = ("HwSlowdown", "HwThermalSlowdown", "SwThermalSlowdown", "HwPowerBrakeSlowdown")
"""Clock event reasons that make a sample worthless; idle and application clocks do not."""


def throttled(device: str) -> bool:
    """Return whether the device runs below its clocks for heat or power; a CPU is never asked."""
    if device != "cuda":
        return False
    import pynvml

    reasons = pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle())
    return any(reasons & getattr(pynvml, f"nvmlClocksEventReason{name}", 0) for name in HARMFUL)
