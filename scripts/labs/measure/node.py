"""Whether a job on a SLURM cluster has its node for itself."""

import os
import re
from collections.abc import Mapping

from labs.measure.programs import output_of
from labs.records.names.machine import NONE, OWN, SHARED, UNKNOWN


def node(environment: Mapping[str, str] = os.environ) -> str:
    """Return whether SLURM gave this job all cores of its node: OWN, SHARED, UNKNOWN or NONE."""
    if "SLURM_JOB_ID" not in environment:
        return NONE
    name = environment.get("SLURMD_NODENAME")
    given = environment.get("SLURM_CPUS_ON_NODE", "")
    # Without a name, as in an interactive session, SLURM would tell of all nodes.
    told = output_of("scontrol", "show", "node", name) if name else ""
    cores = re.search(r"\bCPUTot=(\d+)", told)
    if cores is None or not given.isdigit():
        return UNKNOWN
    return OWN if int(given) >= int(cores[1]) else SHARED
