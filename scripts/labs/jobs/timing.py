"""Jobs that time something in several fresh processes, alone on the machine."""

import argparse
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job, write_record
from labs.measure.lock import alone
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart

LOCK = Path(f"results/.timing.{platform.node()}.lock")
"""Held by the timing job that runs on this machine."""


def of_arguments(arguments: argparse.Namespace) -> Stages:
    """Return how many processes the settings ask for."""
    return Stages(arguments.processes, arguments.budget)


@dataclass(frozen=True)
class TimingJob(Job):
    """A job whose ``observe`` is called in every fresh process.

    No other timing job of this clone runs meanwhile. Others have time to leave the cores alone
    first; those that they keep are left to them.

    ``observe`` receives arguments and inputs (JSON-serialisable), its process number and its seed.

    compiles: it also receives whether the compiler cache is ``cold``: empty.
    narrows: it also receives the cases that are ``converged``, and leaves them out.
    across: cases that differ in these keys are compared with each other.
    stages: how many processes there are.
    """

    compiles: bool = False
    narrows: bool = False
    across: tuple[str, ...] = ()
    stages: Callable[[argparse.Namespace], Stages] = of_arguments

    def measure(self, arguments: argparse.Namespace) -> None:
        """Observe when others are done, and write the record."""
        with alone(LOCK):
            quiet = QuietStart()
            # First, because it may make the batch smaller.
            inputs = self.inputs(arguments)
            given = {
                name: str(value) if isinstance(value, Path) else value
                for name, value in (arguments_for(arguments, self.observe) | inputs).items()
            }
            threads = quiet.threads(arguments.threads)
            measure = partial(
                repeat,
                f"{self.experiment} on {arguments.device}",
                self.observe,
                given,
                stages=self.stages(arguments),
                threads=threads,
                seed=arguments.seed,
                compiles=self.compiles,
                narrows=self.narrows,
                across=self.across,
                quiet=quiet,
            )
            write_record(self.experiment, arguments, threads, measure)
