"""The GPU's state, as the NVIDIA driver reports it, and whether torch can use it.

Boards that share memory with the processor, virtual ones and parts of one (MIG) do not report all.
"""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from textwrap import shorten
from typing import Any, TypeVar

from labs.records.record import NOT_REPORTED

Answer = TypeVar("Answer")

PREFIXES = ("GPU-", "MIG-")

LONGEST = 120
"""Seconds that torch has to compute something: a cold import on a slow disk, and the driver."""

THERE = "an NVIDIA GPU is there, but "
COMPUTE = """
import torch
try:
    torch.ones(1, device="cuda").add(1).item()
except Exception as error:
    print(f"torch {torch.__version__} cannot use it:", str(error).partition("\\n")[0])
"""


def fault_of_torch() -> str:
    """Return why the torch of this Python cannot compute on the GPU; nothing where it can.

    It is asked in another process, so that this one keeps nothing on the GPU.
    """
    command = [sys.executable, "-c", COMPUTE]
    try:
        done = subprocess.run(command, capture_output=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"torch did not answer within {LONGEST} s"
    said = done.stdout.strip()
    if done.returncode:
        *_, last = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        said = f"torch fails: {last}"
    return shorten(said, 200)


def handle() -> Any:
    """Return NVML's handle of the CUDA device in use, by UUID: CUDA's indices may differ.

    CUDA gives a board's UUID, or that of a part of it, without the prefix that NVML has before it.
    """
    import pynvml
    import torch

    pynvml.nvmlInit()
    uuid = str(torch.cuda.get_device_properties(0).uuid)
    board, part = (prefix + uuid.removeprefix(prefix) for prefix in PREFIXES)
    with suppress(pynvml.NVMLError):
        return pynvml.nvmlDeviceGetHandleByUUID(board)
    return pynvml.nvmlDeviceGetHandleByUUID(part)


def clock_events() -> int:
    """Return why the clocks are what they are, as bits. Raises NVMLError where none are told."""
    import pynvml

    return int(pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle()))


def apart(ask: Callable[[], Answer]) -> Answer:
    """Return an answer from another process, so that this one keeps nothing on the GPU."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(ask).result()


def total_memory() -> int:
    """Return the bytes of the CUDA device in use, as CUDA tells them, and NVML not always."""
    import torch

    return torch.cuda.mem_get_info()[1]


def state() -> dict[str, Any]:
    """Return name, driver, clocks (MHz), power (W), temperature (°C) and memory (bytes)."""
    import pynvml
    import torch

    asking: dict[str, Callable[[], Any]] = {
        "driver": lambda: str(pynvml.nvmlSystemGetDriverVersion()),
        "sm_clock_mhz": lambda: pynvml.nvmlDeviceGetClockInfo(handle(), pynvml.NVML_CLOCK_SM),
        "memory_clock_mhz": lambda: pynvml.nvmlDeviceGetClockInfo(handle(), pynvml.NVML_CLOCK_MEM),
        "power_watts": lambda: pynvml.nvmlDeviceGetPowerUsage(handle()) / 1000,
        "temperature_celsius": lambda: pynvml.nvmlDeviceGetTemperature(
            handle(), pynvml.NVML_TEMPERATURE_GPU
        ),
        "memory_bytes": lambda: int(pynvml.nvmlDeviceGetMemoryInfo(handle()).total),
        "clock_events": lambda: hex(clock_events()),
    }
    found: dict[str, Any] = {"name": torch.cuda.get_device_name(0)}
    for name, ask in asking.items():
        try:
            found[name] = ask()
        except pynvml.NVMLError:
            found[name] = NOT_REPORTED
    return found
