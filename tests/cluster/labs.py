"""A copy of the repository on a cluster, and what its jobs are."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.checkout import ON_CPU, Checkout
from tests.cluster.slurm import ask

MODEL = "results/smoke/models/base/0.safetensors"
TIMED = "results/smoke/records/fusion/cpu.json"
CURVES = "results/smoke/records/quantization.json"
SEARCHED = "results/smoke/parts/search/0.json"
TRAINED = [f"results/smoke/parts/lora/{replicate}.json" for replicate in range(2)]

PROFILE = ("snakemake", "--workflow-profile", "workflow/profiles/slurm")
# The nodes are small, their disk is this machine's, and what is asked of them is short.
HERE = (
    "--latency-wait=5",
    "--slurm-init-seconds-before-status-checks=1",
    "--seconds-between-status-checks=2",
)
DEFAULTS = ("mem_mb=1900 * attempt", "runtime=5 * attempt")


@dataclass(frozen=True)
class OnCluster(Checkout):
    """A copy of the repository, with Snakemake as a cluster's user runs it."""

    def command(
        self,
        *targets: str,
        more: tuple[str, ...] = (),
        config: tuple[str, ...] = ON_CPU,
        **resources: str,
    ) -> list[str]:
        """The command that makes these targets, with some default resources."""
        given = dict(one.split("=", 1) for one in DEFAULTS) | resources
        defaults = [f"{name}={value}" for name, value in given.items()]
        return [*PROFILE, *HERE, *more, "--default-resources", *defaults, *config, "--", *targets]

    def make(self, *targets: str, **given: Any) -> subprocess.CompletedProcess[str]:
        """Run that command to its end."""
        return self.run(*self.command(*targets, **given))

    @contextmanager
    def started(
        self, *targets: str, output: Path, more: tuple[str, ...] = ()
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Start that command; it does not outlive the block."""
        with self.start(output, *self.command(*targets, more=more)) as process:
            try:
                yield process
            finally:
                process.kill()


def submitted(rule: str) -> list[list[str]]:
    """The jobs of a rule, oldest first.

    Of each: number, state, whether the node is shared, cores, partition, rule.
    """
    lines = ask("squeue", "-h", "-a", "-t", "all", "-o", "%i\t%T\t%h\t%C\t%P\t%k")
    jobs = [line.split("\t") for line in lines]
    mine = (job for job in jobs if job[-1].startswith(f"rule_{rule}"))
    return sorted(mine, key=lambda job: int(job[0].split("_")[0]))


def has_gpu(job: str) -> bool:
    """Whether SLURM has given a job a GPU."""
    return any("gpu:1" in line for line in ask("scontrol", "show", "job", job))


def running(rule: str, state: str = "RUNNING") -> list[str]:
    """The numbers of the jobs of a rule that run, or are in another state."""
    return [job[0] for job in submitted(rule) if job[1] == state]


def forget(labs: OnCluster, *paths: str) -> None:
    """Delete what is to be made again."""
    for path in paths:
        (labs.folder / path).unlink(missing_ok=True)


def finishes(labs: OnCluster, target: str, more: tuple[str, ...] = ()) -> str:
    """Make a target, as one does after a fault; return what was said."""
    done = labs.make(target, more=more)
    assert done.returncode == 0, done.stdout
    assert (labs.folder / target).exists()
    return done.stdout
