"""The GPU's state, as the NVIDIA driver reports it."""

from typing import Any


def handle() -> Any:
    """Return NVML's handle of the CUDA device in use, by UUID: CUDA's indices may differ."""
    import pynvml
    import torch

    pynvml.nvmlInit()
    uuid = str(torch.cuda.get_device_properties(0).uuid)
    return pynvml.nvmlDeviceGetHandleByUUID(uuid if uuid.startswith("GPU-") else f"GPU-{uuid}")


def state() -> dict[str, Any]:
    """Return name, driver, clocks (MHz), power (W), temperature (°C) and memory (bytes)."""
    import pynvml

    device = handle()
    return {
        "name": str(pynvml.nvmlDeviceGetName(device)),
        "driver": str(pynvml.nvmlSystemGetDriverVersion()),
        "sm_clock_mhz": pynvml.nvmlDeviceGetClockInfo(device, pynvml.NVML_CLOCK_SM),
        "memory_clock_mhz": pynvml.nvmlDeviceGetClockInfo(device, pynvml.NVML_CLOCK_MEM),
        "power_watts": pynvml.nvmlDeviceGetPowerUsage(device) / 1000,
        "temperature_celsius": pynvml.nvmlDeviceGetTemperature(device, pynvml.NVML_TEMPERATURE_GPU),
        "memory_bytes": int(pynvml.nvmlDeviceGetMemoryInfo(device).total),
    }
