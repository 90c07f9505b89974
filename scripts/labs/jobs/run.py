"""How a run of a program becomes a record."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs.jobs.arguments import taken
from labs.measure.environment import environment, load
from labs.measure.threads import thread_count
from labs.records import record
from labs.records.observations import Observations
from labs.records.rows import Measured


def run(
    experiment: str,
    arguments: argparse.Namespace,
    measure: Callable[[int], Measured],
    count: Callable[[str], int] = thread_count,
) -> None:
    """Measure, and write the record atomically; its spec is all arguments that are not files.

    ``measure`` takes the number of threads, and ``count`` returns it for what was asked.  Raises
    SystemExit, with one line, when there is no such device or the number is invalid.
    """
    require_device(arguments.device)
    try:
        threads = count(arguments.threads)
    except ValueError as error:
        raise SystemExit(f"error: {error}") from error
    spec: dict[str, Any] = {
        name: value
        for name, value in vars(arguments).items()
        if value is not None and not isinstance(value, Path)
    }
    started, place = record.now(), environment(arguments.device, threads)
    processes, loads = measure(threads)
    measured = record.measured(experiment, arguments.device, spec, place, started, processes, loads)
    record.write(measured, arguments.output)


def require_device(device: str) -> None:
    """End the program with one line unless torch can use the device."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise SystemExit(
            "error: --device cuda, but this torch sees no CUDA device; "
            "set devices: [cpu] in config.yaml, or install a CUDA build of torch and a driver"
        )


def run_once(
    experiment: str,
    arguments: argparse.Namespace,
    observe: Callable[..., Observations],
    **inputs: Any,
) -> None:
    """Observe once in this process, and write the record; see ``run``.

    ``observe`` receives the inputs, and the arguments that it has other parameters for.
    """

    def measure(threads: int) -> Measured:
        import torch

        torch.set_num_threads(threads)
        before = load()
        seen = observe(**taken(arguments, observe) | inputs)
        return [seen.rows()], [{"process": seen.process, "before": before, "after": load()}]

    run(experiment, arguments, measure)
