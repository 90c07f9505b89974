"""Whether the GPU is throttled, which disturbs a sample."""

from labs.measure.gpu import clock_events

HARMFUL = ("HwSlowdown", "HwThermalSlowdown", "SwThermalSlowdown", "HwPowerBrakeSlowdown")
"""Clock event reasons that disturb a sample; idle and application clocks do not."""


def throttled(device: str) -> bool:
    """Return whether heat or power lowers the GPU's clocks; False for a CPU, and for a board that
    does not tell, as the record says.
    """
    if device != "cuda":
        return False
    import pynvml

    try:
        reasons = clock_events()
    except pynvml.NVMLError:
        return False
    return any(reasons & getattr(pynvml, f"nvmlClocksEventReason{name}", 0) for name in HARMFUL)
