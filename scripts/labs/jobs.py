"""What the programs that write records share: their arguments, and how a run becomes a record."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs import records
from labs.measure.environment import environment, load
from labs.measure.observations import Observations
from labs.measure.processes import alone
from labs.measure.threads import thread_count
from labs.rows import Row

Measured = tuple[list[dict[str, list[Row]]], list[Row]]
"""The rows of each process or replicate, and the load around each of them."""

Measure = Callable[[int], Measured]
"""Takes the number of threads."""


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every program asks for that measures in rounds."""
    add_timing_arguments(parser)
    parser.add_argument(
        "--rounds", type=at_least(1), required=True, help="interleaved rounds within a process"
    )


def add_timing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every program asks for that times in fresh processes."""
    add_lock_argument(parser)
    add_arguments(parser)
    parser.add_argument(
        "--processes",
        type=at_least(2),
        required=True,
        help="fresh processes, the units of the statistics: at least 2, for there to be intervals",
    )


def add_lock_argument(parser: argparse.ArgumentParser) -> None:
    """Add what ``run`` needs to run alone."""
    parser.add_argument(
        "--lock",
        type=Path,
        default=Path(f"results/.timing.{platform.node()}.lock"),
        help="file that timing jobs of one machine lock, so that they run one at a time",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every program asks for that writes a record."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--threads", default="all", help="'all' or a number, capped by the cores one may use"
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="the record, JSON")


def at_least(least: int) -> Callable[[str], int]:
    """Return the argparse type of whole numbers that are not smaller."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number


def number_or_all(text: str) -> int | str:
    """The argparse type of a number of at least 1, or the word "all"; see ``limit``."""
    return text if text == "all" else at_least(1)(text)


def limit(number: int | str) -> int | None:
    """Return a number as it is, and None, which is no limit, for "all"."""
    return None if isinstance(number, str) else number


def run(experiment: str, subject: str, arguments: argparse.Namespace, measure: Measure) -> None:
    """Measure alone on the machine, and write the record; see ``run_beside_others``."""
    with alone(arguments.lock):
        run_beside_others(experiment, subject, arguments, measure)


def run_beside_others(
    experiment: str, subject: str, arguments: argparse.Namespace, measure: Measure
) -> None:
    """Measure, and write the record atomically; its spec is all arguments that are no files.

    For what other jobs on the machine cannot change.  Ends the program with one line when the
    device cannot be used.
    """
    import torch

    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit(
            "error: --device cuda, but this torch sees no CUDA device; "
            "set devices: [cpu] in config.yaml, or install a CUDA build of torch and a driver"
        )
    try:
        threads = thread_count(arguments.threads)
    except ValueError as error:
        raise SystemExit(f"error: {error}") from error
    spec: dict[str, Any] = {
        name: value
        for name, value in vars(arguments).items()
        if value is not None and not isinstance(value, Path)
    }
    started = records.now()
    processes, loads = measure(threads)
    record = records.measured(
        experiment,
        subject,
        arguments.device,
        spec,
        environment(arguments.device, threads),
        started,
        processes,
        loads,
    )
    records.write(record, arguments.output)


def replicate(observe: Callable[[int], Observations], replicates: int, threads: int) -> Measured:
    """Observe so many replicates, by their numbers, one after the other in this process."""
    import torch

    torch.set_num_threads(threads)
    rows, loads = [], []
    for number in range(replicates):
        before = load()
        rows.append(observe(number).rows())
        loads.append({"process": number, "before": before, "after": load()})
    return rows, loads
