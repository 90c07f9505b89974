"""Whether a job on a SLURM cluster has its node for itself."""

import os
import re
import subprocess
from collections.abc import Mapping

from labs.records.names.machine import NONE, OWN, SHARED, UNKNOWN


def node(environment: Mapping[str, str] = os.environ) -> str:
    """Return whether SLURM gave this job all cores of its node: OWN, SHARED, UNKNOWN or NONE."""
    if "SLURM_JOB_ID" not in environment:
        return NONE
    try:
        # Without a name, as in an interactive session, SLURM would tell of all nodes.
        command = ["scontrol", "show", "node", environment["SLURMD_NODENAME"]]
        done = subprocess.run(
            command, capture_output=True, errors="replace", timeout=60, check=True
        )
    except (KeyError, OSError, subprocess.SubprocessError):
        return UNKNOWN
    cores = re.search(r"\bCPUTot=(\d+)", done.stdout)
    given = environment.get("SLURM_CPUS_ON_NODE", "")
    if cores is None or not given.isdigit():
        return UNKNOWN
    return OWN if int(given) >= int(cores[1]) else SHARED
