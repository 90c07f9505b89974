"""Print what a run of the workflow takes: its jobs, core-hours and wall time, as far as known.

A job's duration is known if the same command, with the same sizes, has run to its end in this
folder: Snakemake keeps when it began and when it ended, waiting in a cluster's queue included; of a
job that was killed and went on, the last part. Nothing is scaled from other sizes: how a job's time
grows with them is not known.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labs.setup.marks import marks

COMMAND = re.compile(r"Shell command: *\n(.*?)\n *\n", flags=re.DOTALL)
PROGRAM = re.compile(r"scripts/(?!run_unchanged)(\w+)\.py")
HOUR = 3600


@dataclass
class Job:
    """A job that has run: its cores (None: all of a node's), its files and when it ran, in s."""

    cores: int | None
    inputs: set[str]
    outputs: set[str] = field(default_factory=set)
    began: float = float("inf")
    ended: float = 0.0

    @property
    def seconds(self) -> float:
        return self.ended - self.began


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, required=True, help="of a node")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4], help="numbers of nodes")
    parser.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    return parser


def same(command: str) -> str:
    """Return a command without what does not decide its time: spaces, and its code's digest."""
    return re.sub(r"(run_unchanged\.py) \w+", r"\1", " ".join(command.split()))


def commands(dry_run: str) -> list[str]:
    """Return the commands that a dry run of Snakemake prints, one a job."""
    return [same(command) for command in COMMAND.findall(dry_run)]


def recorded(metadata: Path) -> dict[str, Job]:
    """Return the jobs that Snakemake has seen end well, by command."""
    jobs: dict[str, Job] = {}
    for output, file in marks(metadata):
        kept = json.loads(file.read_text(encoding="utf-8"))
        if not kept.get("shellcmd") or not kept.get("starttime") or not kept.get("endtime"):
            continue
        command = same(kept["shellcmd"])
        job = jobs.setdefault(command, Job(cores_of(command), set(kept["input"])))
        job.outputs.add(output)
        job.began = min(job.began, kept["starttime"])
        job.ended = max(job.ended, kept["endtime"])
    return jobs


def cores_of(command: str) -> int | None:
    """Return how many cores a command computes with; None: all, as a timing job does."""
    threads = re.search(r"--threads (\w+)", command)
    if threads is None:
        return 1
    return None if "--threads all" in command else int(threads[1])


def wall_seconds(jobs: Iterable[Job], nodes: int, cores: int) -> float:
    """Return when the last job ends if each starts as soon as its inputs and its cores are there.

    Of those that could start, the longest goes first.
    """
    waiting = sorted(jobs, key=lambda job: -job.seconds)
    missing = {output for job in waiting for output in job.outputs}
    free, now = [cores] * nodes, 0.0
    running: list[tuple[float, int, int, Job]] = []
    while waiting or running:
        for job in list(waiting):
            needed = min(job.cores or cores, cores)
            place = max(range(nodes), key=free.__getitem__)
            if not job.inputs & missing and free[place] >= needed:
                free[place] -= needed
                running.append((now + job.seconds, place, needed, job))
                waiting.remove(job)
        ended = min(running, key=lambda one: one[0])
        running.remove(ended)
        now, place, freed, job = ended
        free[place] += freed
        missing -= job.outputs
    return now


def estimate(
    planned: Sequence[str], known: Mapping[str, Job], cores: int, nodes: Sequence[int]
) -> str:
    """Return the lines to print."""
    found = [known[command] for command in planned if command in known]
    hours = sum(job.seconds * (job.cores or cores) for job in found) / HOUR
    unknown = Counter(program(command) for command in planned if command not in known)
    lines = [f"Jobs: {len(planned)}, {len(found)} of them with a recorded duration"]
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
    plan = ["snakemake", "--dry-run", "--printshellcmds", "--forceall", "--nolock"]
    plan += ["--cores", str(arguments.cores)]
    plan += ["--config", *arguments.config] if arguments.config else []
    done = subprocess.run(plan, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout)
    known = recorded(Path(".snakemake/metadata"))
    print(estimate(commands(done.stdout), known, arguments.cores, arguments.nodes))


if __name__ == "__main__":
    main()
