"""Which devices are measured: decided once, by the Snakemake that the user starts.

On a cluster every job reads the Snakefile again, on a node that may have other devices. So the
first Snakemake passes its decision to the jobs, in the environment variable VARIABLE. Only the
standard library is used here.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from textwrap import shorten

from labs.measure.gpu import THERE, fault_of_torch

DEVICES = ("cpu", "cuda")
VARIABLE = "LABS_DEVICES"
NO_CUDA = "devices: auto found no CUDA device"


def resolve(
    setting: str | Sequence[str], is_main: bool, environment: Mapping[str, str], ask_torch: bool
) -> tuple[list[str], str]:
    """Return the devices to measure, for a value of `devices` in config.yaml, and the reason, for
    the report, why another is not measured.

    A job's Snakemake (is_main false) uses what the first one decided, and needs no reason; the
    first one ignores an inherited variable. `ask_torch` is false where the jobs' torch is another
    than that beside this Python.
    """
    if not is_main and VARIABLE in environment:
        return environment[VARIABLE].split(","), ""
    if setting != "auto":
        return list(setting), f"config.yaml names devices [{', '.join(setting)}]"
    reason = _fault_of_driver()
    if not reason and ask_torch and (fault := fault_of_torch()):
        reason = THERE + fault
    return ["cpu"] if reason else list(DEVICES), reason


def _fault_of_driver() -> str:
    """Return why there is no GPU that can be used, as nvidia-smi tells; nothing where there is one.

    Of a GPU that is lost, the driver lists what it was, or an error, and the status says so.
    """
    program = shutil.which("nvidia-smi")
    if program is None:
        return NO_CUDA
    try:
        done = subprocess.run([program, "-L"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{NO_CUDA}: {error}"
    said = (done.stdout + done.stderr).decode("ascii", "backslashreplace").strip()
    if done.returncode:
        return f"{NO_CUDA}: nvidia-smi ended with status {done.returncode}: {shorten(said, 200)}"
    return "" if re.search(r"^GPU \d+: ", said, re.M) else NO_CUDA
