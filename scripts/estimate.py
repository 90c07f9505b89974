"""Print what a run of the workflow takes: its jobs, core-hours and wall time, as far as known.

A job's duration is known if the same command, with the same sizes, has run to its end in this
folder. Of a job that was killed and went on, it is that of the last part. Nothing is scaled from
other sizes: how a job's time grows with them is not known.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from labs.setup.plan import Job, plan
from labs.setup.schedule import wall_seconds

HOUR = 3600


def estimate(jobs: Sequence[Job], cores: int, nodes: Sequence[int] = (1, 2, 4)) -> str:
    """Return the lines to print. Of the jobs that could start, the longest goes first."""
    found = sorted((job for job in jobs if job.seconds), key=lambda job: -job.seconds)
    unknown = Counter(job.rule for job in jobs if not job.seconds)
    lines = [f"Jobs: {len(jobs)}, {len(found)} of them with a recorded duration"]
    if found:
        of = f" of these {len(found)} jobs" if unknown else ""
        hours = sum(job.seconds * job.cores for job in found) / HOUR
        lines.append(f"Core-hours{of}: {hours:.2f}")
        lines += [
            f"Wall time{of} on {number} x {cores} cores: "
            f"{wall_seconds(found, number, cores) / HOUR:.2f} h"
            for number in nodes
        ]
    if unknown:
        names = ", ".join(f"{rule} ({count})" for rule, count in unknown.most_common())
        lines.append(f"Not known, as no such job has run here with these sizes: {names}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, required=True, help="of a node")
    parser.add_argument("--config", nargs="*", default=[], help="as of snakemake: preset=full")
    arguments = parser.parse_args()
    jobs = plan("--forceall", "--cores", str(arguments.cores), "--config", *arguments.config)
    print(estimate(jobs, arguments.cores))


if __name__ == "__main__":
    main()
