"""Which devices are measured: decided once, by the Snakemake that the user starts.

On a cluster every job reads the Snakefile again, on a node that may have other devices. So the
first Snakemake passes its decision to the jobs, in the environment variable VARIABLE. Only the
standard library is used here.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from textwrap import shorten

DEVICES = ("cpu", "cuda")
VARIABLE = "LABS_DEVICES"
NONE = "devices: auto found no CUDA device"


def visible_devices() -> list[str]:
    """Return ["cpu", "cuda"] if the NVIDIA driver lists a GPU on this machine, else ["cpu"]."""
    return ["cpu"] if _fault(shutil.which("nvidia-smi")) else ["cpu", "cuda"]


@cache
def _fault(program: str | None) -> str:
    """Return why there is no GPU that can be used, as nvidia-smi tells; nothing where there is one.

    Of a GPU that is lost, the driver lists what it was, or an error, and the status says so.
    """
    if program is None:
        return NONE
    try:
        done = subprocess.run([program, "-L"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{NONE}: {error}"
    said = (done.stdout + done.stderr).decode("ascii", "backslashreplace").strip()
    if done.returncode:
        return f"{NONE}: nvidia-smi ended with status {done.returncode}: {shorten(said, 200)}"
    return "" if re.search(r"^GPU \d+: ", said, re.M) else NONE


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
        return _fault(shutil.which("nvidia-smi")) or NONE
    return f"config.yaml names devices [{', '.join(setting)}]"
