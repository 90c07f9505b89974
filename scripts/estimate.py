"""Print what a run of the workflow takes: its jobs, core-hours and wall time, as far as known.

A job's duration is known if the same command, with the same sizes, has run to its end in this
folder, on the machine where Snakemake ran: of jobs on a cluster it keeps no duration. Of a job that
was killed and went on, it is that of the last part. Nothing is scaled from other sizes: how a job's
time grows with them is not known.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from labs.setup.durations import METADATA, Job, planned, recorded
from labs.setup.schedule import wall_seconds

PROGRAM = re.compile(r"scripts/(?!run_unchanged)(\w+)\.py")
HOUR = 3600


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, required=True, help="of a node")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4], help="numbers of nodes")
    parser.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    return parser


def estimate(
    commands: Sequence[str], known: Mapping[str, Job], cores: int, nodes: Sequence[int]
) -> str:
    """Return the lines to print. Of the jobs that could start, the longest goes first."""
    found = [known[command] for command in commands if command in known]
    found.sort(key=lambda job: -job.seconds)
    hours = sum(job.seconds * (job.cores or cores) for job in found) / HOUR
    unknown = Counter(program(command) for command in commands if command not in known)
    lines = [f"Jobs: {len(commands)}, {len(found)} of them with a recorded duration"]
    if found:
        of = f" of these {len(found)} jobs" if unknown else ""
        lines.append(f"Core-hours{of}: {hours:.2f}")
        lines += [
            f"Wall time{of} on {number} x {cores} cores: "
            f"{wall_seconds(found, number, cores) / HOUR:.2f} h"
            for number in nodes
        ]
    if unknown:
        names = ", ".join(f"{name} ({count})" for name, count in unknown.most_common())
        lines.append(f"Not known, as no such job has run here with these sizes: {names}")
    return "\n".join(lines)


def program(command: str) -> str:
    """Return the name of the program that a command runs."""
    found = PROGRAM.search(command)
    return found[1] if found else command.split()[0]


def main() -> None:
    """Parse, plan, look up, print."""
    arguments = parser().parse_args()
    plan = planned(arguments.cores, arguments.config)
    print(estimate(plan, recorded(METADATA), arguments.cores, arguments.nodes))


if __name__ == "__main__":
    main()
