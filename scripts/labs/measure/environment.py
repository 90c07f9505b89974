"""The machine, the software and the commit that a record comes from."""

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

import cpuinfo
import psutil
import torch

from labs.measure.commit import commit
from labs.measure.disturbance import counted
from labs.measure.node import node

PACKAGES = ("torch", "transformers", "numpy", "triton")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


def load() -> dict[str, float]:
    """Return the 1-minute load average and the share of memory in use."""
    return {"load_1min": os.getloadavg()[0], "memory_used": psutil.virtual_memory().percent / 100}


def environment(device: str, threads: int) -> dict[str, Any]:
    """Return what a reader needs to judge or repeat a measurement."""
    facts: dict[str, Any] = {
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "cpu": cpuinfo.get_cpu_info().get("brand_raw", platform.processor()),
        "cores": psutil.cpu_count(logical=False),
        "usable_cores": len(psutil.Process().cpu_affinity() or []) or psutil.cpu_count(),
        "threads": threads,
        "memory_bytes": psutil.virtual_memory().total,
        "governor": GOVERNOR.read_text().strip() if GOVERNOR.exists() else "not reported",
        "vector_extensions": torch.backends.cpu.get_cpu_capability(),
        "compiler": _first_line(["c++", "--version"]),
        "allocation": os.environ.get("SLURM_JOB_ID", "none"),
        "node": node(),
        "disturbances": "counted" if counted() else "not counted",
        "packages": {name: _version(name) for name in PACKAGES},
        "code": os.environ.get("LABS_CODE", "not checked"),
        **commit(),
    }
    if device == "cuda":
        from labs.measure import gpu

        facts["gpu"] = gpu.state()
    return facts


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "absent"
    return done.stdout.splitlines()[0]
