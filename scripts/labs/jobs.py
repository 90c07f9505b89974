"""What the measuring programs share: their common arguments, and how a record is made of a run."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs import records
from labs.measure.environment import environment
from labs.measure.processes import alone
from labs.measure.threads import thread_count
from labs.rows import Row

Measure = Callable[[int], tuple[list[dict[str, list[Row]]], list[Row]]]


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every measuring program asks for."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--processes",
        type=at_least(2),
        required=True,
        help="fresh processes, the units of the statistics: at least 2, for there to be intervals",
    )
    parser.add_argument(
        "--rounds", type=at_least(1), required=True, help="interleaved rounds within a process"
    )
    parser.add_argument(
        "--threads", default="all", help="'all' or a number, capped by the cores one may use"
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="the record, JSON")
    parser.add_argument(
        "--lock",
        type=Path,
        default=Path(f"results/.timing.{platform.node()}.lock"),
        help="file that timing jobs of one machine lock, so that they run one at a time",
    )


def at_least(least: int) -> Callable[[str], int]:
    """Return the argparse type of whole numbers that are not smaller."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number


def run(experiment: str, subject: str, arguments: argparse.Namespace, measure: Measure) -> None:
    """Measure alone on the machine, and write the record atomically.

    Ends the program with one line when the device cannot be used.
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
        if name not in ("output", "lock") and value is not None
    }
    with alone(arguments.lock):
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
