"""Simulate how long jobs take on a SLURM cluster, from recorded durations: prints a table.

    run     the jobs of a whole run, from what Snakemake has kept of one in this folder
    study   a study of many trials, from the seconds of trials in journals

The ideal is what no schedule can beat: all core-seconds on all cores, or the longest chain of jobs.
Nodes are all alike, and nobody else's jobs run on them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from labs.setup.durations import METADATA, Job, planned, recorded
from labs.setup.schedule import Site, ideal_seconds, wall_seconds
from labs.setup.study_schedule import grouped, in_journals, shared

RULE = re.compile(r"^(?:rule|checkpoint) (\w+):\n(.*?)(?=^\S|\Z)", flags=re.M | re.S)
PROFILE = Path("workflow/profiles/slurm/config.yaml")
TRIAL = "trial"
ARRAYS = ("quantize_model", "prune_model", "search_precisions")
ORDERS = 101
HOUR = 3600


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("--cores", type=int, required=True, help="of a node")
    both.add_argument("--nodes", type=int, nargs="+", default=[1, 3, 10], help="numbers of nodes")
    both.add_argument("--submitting", type=float, default=0.3, help="seconds of a submission")
    both.add_argument(
        "--starting", type=float, default=5.0, help="seconds of a job beside its command"
    )
    both.add_argument(
        "--dispatching", type=float, default=1.5, help="seconds more of a job in an array"
    )
    both.add_argument(
        "--profile", type=Path, default=PROFILE, help="what else decides: Snakemake's, of SLURM"
    )
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    run = what.add_parser("run", parents=[both], help="the jobs of a whole run")
    run.add_argument("--config", nargs="+", default=[], help="as of snakemake: preset=full")
    run.add_argument("--faster", type=float, default=1.0, help="than the machine of the records")
    run.add_argument("--arrays", nargs="+", default=ARRAYS, help="rules, for the line with arrays")
    study = what.add_parser("study", parents=[both], help="a study of many trials")
    study.add_argument("--trials", type=int, default=10_000, help="of the study")
    study.add_argument(
        "--journals", type=Path, nargs="+", required=True, help="which say what trials take"
    )
    study.add_argument(
        "--asked", type=Path, required=True, help="the journal of a study of thousands of trials"
    )
    study.add_argument("--workers", type=int, nargs="+", default=[1, 10, 30, 100])
    study.add_argument("--trials-per-job", type=int, nargs="+", default=[1, 10, 100])
    return parser


def site_of(arguments: argparse.Namespace, nodes: int, profile: dict[str, Any]) -> Site:
    """Return the site that a profile of Snakemake describes."""
    return Site(
        nodes,
        arguments.cores,
        submitting=arguments.submitting,
        starting=arguments.starting,
        dispatching=arguments.dispatching,
        asking=profile["slurm-init-seconds-before-status-checks"],
        at_once=profile["jobs"],
        local=having("    localrule: True"),
        queueing=True,
    )


def having(line: str) -> frozenset[str]:
    """Return the names of the workflow's rules that have this line."""
    texts = [path.read_text(encoding="utf-8") for path in Path("workflow/rules").rglob("*.smk")]
    found = (match for text in texts for match in RULE.findall(text))
    return frozenset(name for name, body in found if line in body.splitlines())


def run_rows(arguments: argparse.Namespace, profile: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the lines of the table of a run."""
    plan, known = planned(arguments.cores, arguments.config), recorded(METADATA)
    alone = having("    threads: ALONE")
    # Snakemake plans in another order each time.
    found = [known[command] for command in sorted(plan) if command in known]
    jobs = [
        replace(
            job,
            cores=None if job.rule in alone else job.cores or 1,
            ended=job.began + job.seconds / arguments.faster,
        )
        for job in found
    ]
    arrays = frozenset(arguments.arrays)
    print(f"Jobs: {len(plan)}, {len(jobs)} of them with a recorded duration\n")
    for nodes in arguments.nodes:
        site = site_of(arguments, nodes, profile)
        ideal = ideal_seconds(jobs, nodes, arguments.cores)
        longest = sorted(jobs, key=lambda job: -job.seconds)
        free = Site(nodes, arguments.cores)
        yield row(nodes, "the ideal", ideal, ideal)
        yield row(nodes, "no overhead, the longest job first", wall_seconds(longest, free), ideal)
        cases = {
            "no overhead, SLURM's order": replace(free, queueing=True, local=site.local),
            "the profile": site,
            "the profile, curves in arrays": replace(site, arrays=arrays, at_once=len(plan)),
            "the profile, each end seen at once": replace(site, asking=0),
        }
        for name, case in cases.items():
            yield row(nodes, name, median_seconds(jobs, case), ideal)


def median_seconds(jobs: Sequence[Job], site: Site) -> float:
    """Return the median of what ORDERS take: what is ready is submitted in no certain order."""
    orders = (random.Random(seed).sample(jobs, len(jobs)) for seed in range(ORDERS))
    return median(wall_seconds(order, site) for order in orders)


def study_rows(arguments: argparse.Namespace, profile: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the lines of the table of a study."""
    trials = in_journals(arguments.journals, arguments.asked, arguments.trials)
    print(f"{len(trials.seconds)} trials, {sum(trials.seconds) / HOUR:.1f} core-hours\n")
    for nodes in arguments.nodes:
        site = site_of(arguments, nodes, profile)
        site = replace(site, at_once=arguments.trials)
        jobs = grouped(trials, 1)
        ideal = ideal_seconds(jobs, nodes, arguments.cores)
        yield row(nodes, "the ideal", ideal, ideal)
        for size in arguments.trials_per_job:
            for arrays in (frozenset[str](), frozenset({TRIAL})):
                jobs = grouped(trials, size, TRIAL)
                name = f"{size} trials a job{', in an array' if arrays else ''}"
                yield row(nodes, name, wall_seconds(jobs, replace(site, arrays=arrays)), ideal)
        for workers in arguments.workers:
            at_once = min(workers, nodes * arguments.cores)
            end = shared(trials, at_once)
            jobs = [Job(1, set(), {str(number)}, 0.0, end) for number in range(at_once)]
            yield row(nodes, f"{workers} workers", wall_seconds(jobs, site), ideal)


def row(nodes: int, name: str, seconds: float, ideal: float) -> list[str]:
    """Return a line of the table."""
    shown = f"{seconds / HOUR:.2f} h" if seconds >= HOUR else f"{seconds:.0f} s"
    return [str(nodes), name, shown, f"{seconds / ideal:.2f}"]


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    head = [("nodes", "jobs", "until the last end is seen", "ratio to the ideal"), ("---",) * 4]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [*head, *rows])


def main() -> None:
    """Parse, read, simulate, print."""
    arguments = parser().parse_args()
    profile = yaml.safe_load(arguments.profile.read_text(encoding="utf-8"))
    rows = {"run": run_rows, "study": study_rows}[arguments.what](arguments, profile)
    print(table(list(rows)))


if __name__ == "__main__":
    main()
