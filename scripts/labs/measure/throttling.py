"""Whether the GPU is throttled, which invalidates a sample."""

from labs.measure.gpu import handle

HARMFUL = ("HwSlowdown", "HwThermalSlowdown", "SwThermalSlowdown", "HwPowerBrakeSlowdown")
"""Clock event reasons that invalidate a sample; idle and application clocks do not."""


def throttled(device: str) -> bool:
    """Return whether heat or power lowers the GPU's clocks; always False for a CPU."""
    if device != "cuda":
        return False
    import pynvml

    reasons = pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle())
    return any(reasons & getattr(pynvml, f"nvmlClocksEventReason{name}", 0) for name in HARMFUL)
