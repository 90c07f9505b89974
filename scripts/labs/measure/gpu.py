"""What the NVIDIA driver says about the GPU while it is measured."""

from __future__ import annotations

from typing import Any

HARMFUL = ("HwSlowdown", "HwThermalSlowdown", "SwThermalSlowdown", "HwPowerBrakeSlowdown")
"""Clock event reasons that make a sample worthless; idle and application clocks do not."""


def _handle() -> Any:
    """Return NVML's handle of the CUDA device in use (matched by UUID, as masks renumber)."""
    import pynvml
    import torch

    pynvml.nvmlInit()
    uuid = str(torch.cuda.get_device_properties(0).uuid)
    return pynvml.nvmlDeviceGetHandleByUUID(uuid if uuid.startswith("GPU-") else f"GPU-{uuid}")


def throttled(device: str) -> bool:
    """Return whether the device runs below its clocks for heat or power; a CPU is never asked."""
    if device != "cuda":
        return False
    import pynvml

    reasons = pynvml.nvmlDeviceGetCurrentClocksEventReasons(_handle())
    return any(reasons & getattr(pynvml, f"nvmlClocksEventReason{name}", 0) for name in HARMFUL)


def state() -> dict[str, Any]:
    """Return name, driver, clocks (MHz), power (W), temperature (°C) and memory (bytes)."""
    import pynvml

    handle = _handle()
    return {
        "name": str(pynvml.nvmlDeviceGetName(handle)),
        "driver": str(pynvml.nvmlSystemGetDriverVersion()),
        "sm_clock_mhz": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM),
        "memory_clock_mhz": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_MEM),
        "power_watts": pynvml.nvmlDeviceGetPowerUsage(handle) / 1000,
        "temperature_celsius": pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU),
        "memory_bytes": int(pynvml.nvmlDeviceGetMemoryInfo(handle).total),
    }
