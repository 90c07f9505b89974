"""Which devices are measured: decided once, by the Snakemake that the user starts.

On a cluster every job reads the Snakefile again, on a node that may have other devices. So the
first Snakemake passes its decision to the jobs, in the environment variable VARIABLE. Only the
standard library is used here.
"""

import shutil
import subprocess
from collections.abc import Mapping, Sequence

DEVICES = ("cpu", "cuda")
VARIABLE = "LABS_DEVICES"


def visible_devices() -> list[str]:
    """Return ["cpu", "cuda"] if the NVIDIA driver lists a GPU on this machine, else ["cpu"]."""
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
    """Return the devices to measure, for a value of `devices` in config.yaml.

    A job's Snakemake (is_main false) uses what the first one decided; the first one ignores an
    inherited variable.
    """
    if not is_main and VARIABLE in environment:
        return environment[VARIABLE].split(",")
    return visible_devices() if setting == "auto" else list(setting)


def absence(setting: str | Sequence[str]) -> str:
    """Return the reason, for the report, why a device that resolve omits is not measured."""
    if setting == "auto":
        return "devices: auto found no CUDA device"
    return f"config.yaml names devices [{', '.join(setting)}]"
