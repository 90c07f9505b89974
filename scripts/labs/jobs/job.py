"""A job: what a program of the workflow is given, what it observes, and the record that it writes.

A module that observes says how it is run: JOB = Job("graphs", observe, sizes.SETTINGS).
"""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labs.jobs.arguments import add_files, add_settings, arguments_for
from labs.measure.environment import environment, load
from labs.measure.gpu import THERE, fault_of_torch
from labs.measure.threads import ALL_CORES, thread_count
from labs.records import record
from labs.records.observations import Observations
from labs.records.rows import Measured
from labs.setup.section import Section
from labs.studies.evaluations import used

Inputs = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A job that observes once, in its own process.

    ``observe`` receives those of the arguments that it has parameters for, and the inputs.

    experiment: the one that the record is of.
    settings: the parts of config.yaml that the job reads.
    files: what it reads and writes beside the record, from ``arguments.FILES``.
    replicated: whether it is one of several trainings or searches.
    choice: the name and the values of the argument that selects the part.
    inputs: what ``observe`` receives beside the arguments.
    missing: why it cannot be measured with these arguments, which the record says then.
    finish: called with arguments and inputs once the record is written.
    """

    experiment: str
    observe: Callable[..., Observations]
    settings: tuple[Section, ...] = ()
    files: tuple[str, ...] = ()
    replicated: bool = False
    choice: tuple[str, tuple[str, ...]] = ("", ())
    inputs: Callable[[argparse.Namespace], Inputs] = lambda arguments: {}
    missing: Callable[[argparse.Namespace], str] = lambda arguments: ""
    finish: Callable[[argparse.Namespace, Inputs], None] = lambda arguments, inputs: None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add all arguments of the job."""
        name, values = self.choice
        if name:
            parser.add_argument(f"--{name}", choices=values, required=True, help="which part")
        add_files(parser, *self.files)
        for section in self.settings:
            add_settings(parser, section)
        if self.replicated:
            number = "its number, from 0, which gives the seed"
            parser.add_argument("--replicate", type=int, required=True, help=number)
        add_record_arguments(parser)

    def run(self, arguments: argparse.Namespace) -> None:
        """Observe, and write the record atomically.

        Raises SystemExit, with one line, where torch cannot use a device that must be measured.
        """
        if reason := take_device(arguments) or self.missing(arguments):
            absent = record.not_measured(self.experiment, arguments.device, reason)
            record.write(absent, arguments.output)
        else:
            self.measure(arguments)

    def measure(self, arguments: argparse.Namespace) -> None:
        """Observe on a device that there is, and write the record."""
        inputs, threads = self.inputs(arguments), thread_count(arguments.threads)

        def measure() -> Measured:
            import torch

            torch.set_num_threads(threads)
            before = load()
            seen = self.observe(**arguments_for(arguments, self.observe) | inputs)
            return [seen.rows], [{"process": seen.process, "before": before, "after": load()}]

        write_record(self.experiment, arguments, threads, measure)
        self.finish(arguments, inputs)


def write_record(
    experiment: str,
    arguments: argparse.Namespace,
    threads: int,
    measure: Callable[[], Measured],
) -> None:
    """Measure, and write the record atomically; its spec is all arguments but paths."""
    spec = {
        name: value
        for name, value in vars(arguments).items()
        if not isinstance(value[0] if isinstance(value, list) else value, Path)
    }
    started, place = record.now(), environment(arguments.device, threads)
    rows, loads = measure()
    measured = record.measured(
        experiment, arguments.device, spec, place, started, rows, loads, used
    )
    record.write(measured, arguments.output)


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every job."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--without-cuda",
        choices=["fail", "skip", "cpu"],
        default="fail",
        help="where torch cannot use the GPU: fail, record that, or run on the CPU",
    )
    parser.add_argument(
        "--threads",
        default=ALL_CORES,
        help=f"{ALL_CORES!r} or a number, capped at the available cores",
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="record to write, JSON")


def take_device(arguments: argparse.Namespace) -> str:
    """Return why the device is not measured; nothing where it is, or the CPU instead.

    Of several GPUs a job and its processes see one: transformers' Trainer takes all that it sees.
    Raises SystemExit, with one line, where it must be measured and torch cannot use it.
    """
    without = vars(arguments).pop("without_cuda")
    if arguments.device == "cpu":
        return ""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0")
    os.environ["CUDA_VISIBLE_DEVICES"] = visible.partition(",")[0]
    fault = fault_of_torch()
    if not fault:
        return ""
    if without == "fail":
        raise SystemExit(
            f"error: --device cuda, but {fault}; "
            "set devices: [cpu] in config.yaml, or install a CUDA build of torch and its driver"
        )
    if without == "skip":
        return THERE + fault
    print(f"{THERE}{fault}; running on the CPU", file=sys.stderr, flush=True)
    arguments.device = "cpu"
    return ""
