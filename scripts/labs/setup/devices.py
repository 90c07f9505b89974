"""Which devices are measured: decided once, by the Snakemake that a person starts.

On a cluster every job reads the Snakefile again, on a node that may have other devices than the
one where `devices: auto` was looked up. So the first Snakemake hands its answer to the jobs'
environment, in the variable that VARIABLE names. Only the standard library is used here.
"""

import shutil
import subprocess
from collections.abc import Mapping, Sequence

DEVICES = ("cpu", "cuda")
VARIABLE = "LABS_DEVICES"


def visible_devices() -> list[str]:
    """["cpu", "cuda"] when the NVIDIA driver lists a GPU on this machine, else ["cpu"]."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ["cpu"]
    try:
        listing = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ["cpu"]
    return ["cpu", "cuda"] if "GPU " in listing.stdout else ["cpu"]


def resolve(
    setting: str | Sequence[str], is_main: bool, environment: Mapping[str, str]
) -> list[str]:
    """The devices to measure, for a value of the key devices in config.yaml.

    A job's Snakemake (is_main false) takes what the first one decided; the first one decides anew
    and heeds no variable that it happened to inherit.
    """
    if not is_main and VARIABLE in environment:
        return environment[VARIABLE].split(",")
    return visible_devices() if setting == "auto" else list(setting)


def absence(setting: str | Sequence[str]) -> str:
    """Why a device that resolve does not list is not measured, as the report says it."""
    if setting == "auto":
        return "devices: auto found no CUDA device"
    return f"config.yaml names devices [{', '.join(setting)}]"
