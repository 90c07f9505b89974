"""The machine, the software and the commit that a record comes from."""

import os
import platform
import re
from collections.abc import Mapping
from typing import Any

import psutil
import torch

from labs.measure import gpu, limits
from labs.measure.commit import commit
from labs.measure.disturbance import has_counters
from labs.measure.processor import processor
from labs.measure.programs import output_of
from labs.measure.version import version
from labs.records.record import NO_CLUSTER, NOT_REPORTED, OWN, SHARED, UNKNOWN

PACKAGES = ("torch", "transformers", "numpy", "triton")


def load() -> dict[str, float]:
    """Return the 1-minute load average and the share of memory in use."""
    return {"load_1min": os.getloadavg()[0], "memory_used": psutil.virtual_memory().percent / 100}


def environment(device: str, threads: int) -> dict[str, Any]:
    """Return what a reader needs to judge or repeat a measurement.

    It is asked before a measurement begins, and ends none: what has no answer is NOT_REPORTED.
    """
    cores, memory = limits.cores(), limits.memory()
    facts: dict[str, Any] = {
        "host": os.fsencode(platform.node()).decode(errors="replace"),
        "system": platform.platform(),
        "python": platform.python_version(),
        **processor(),
        "cores": psutil.cpu_count(logical=False) or NOT_REPORTED,
        "usable_cores": cores.amount,
        "cores_limited_by": cores.by,
        "threads": threads,
        "memory_bytes": memory.amount,
        "memory_limited_by": memory.by,
        "vector_extensions": torch.backends.cpu.get_cpu_capability(),
        "compiler": output_of("c++", "--version").partition("\n")[0] or "absent",
        "allocation": os.environ.get("SLURM_JOB_ID", "none"),
        "node": node(),
        "disturbances": "counted" if has_counters() else "not counted",
        "packages": {name: version(name) for name in PACKAGES},
        "code": os.environ.get("LABS_CODE", "not checked"),
        **commit(),
    }
    if device == "cuda":
        facts["gpu"] = gpu.apart(gpu.state)
    return facts


def node(environment: Mapping[str, str] = os.environ) -> str:
    """Return whether SLURM gave this job all cores of its node.

    It is OWN, SHARED, UNKNOWN or NO_CLUSTER.
    """
    if "SLURM_JOB_ID" not in environment:
        return NO_CLUSTER
    name = environment.get("SLURMD_NODENAME")
    given = environment.get("SLURM_CPUS_ON_NODE", "")
    # Without a name, as in an interactive session, SLURM would tell of all nodes.
    told = output_of("scontrol", "show", "node", name) if name else ""
    cores = re.search(r"\bCPUTot=(\d+)", told)
    if cores is None or not given.isdigit():
        return UNKNOWN
    return OWN if int(given) >= int(cores[1]) else SHARED
