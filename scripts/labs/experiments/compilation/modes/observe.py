"""What eval(), no_grad() and a compiler cache do, on smaller batches and on another model.

All workloads and modes of a replicate share a fresh process, whose compiler cache is empty or was
left by an earlier one.  The first of them also waits for the compiler to start, so its cache state
has its own name.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import torch

from labs.experiments.compilation import names, sizes
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, MODES, started
from labs.experiments.compilation.workload import (
    Forward,
    Workload,
    agreement,
    collect_garbage,
    forward,
    in_mode,
    record_compilation,
    record_library_time,
)
from labs.jobs.timing import TimingJob
from labs.measure.clock import every_call
from labs.measure.compiler import CompilerLog, nothing_compiled
from labs.measure.processes import Stages
from labs.measure.rounds import interleave
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations

LATER_CALLS = 4
"""Calls after the first, in which nothing may be compiled again."""


def observe(
    process: int,
    workloads: dict[str, tuple[dict[str, Any], list[str]]],
    device: str,
    rounds: int,
    seed: int,
    cold: bool,
) -> Observations:
    """Return one process's observations of the workloads, in order.

    Each name has the sizes of its ``Workload``, and the modes that are compiled, in order.
    """
    seen = Observations(process)
    torch.manual_seed(seed)
    cache = names.COLD if cold else names.WARM
    for name, (workload, modes) in workloads.items():
        _observe_workload(seen, name, Workload(**workload), modes, device, rounds, seed, cache)
        cache = started(cache)
    return seen


def _observe_workload(
    seen: Observations,
    name: str,
    workload: Workload,
    modes: Sequence[str],
    device: str,
    rounds: int,
    seed: int,
    cache: str,
) -> None:
    """Record one workload; ``cache`` is the state of the cache at its first compilation.

    Each of its modes is compiled. Then all arms are timed in interleaved rounds, together with
    eager execution in the remaining modes, which needs no compilation.
    """
    model, data = workload.build(device)
    arms: dict[tuple[str, str], Forward] = {}
    for mode in (*modes, *(mode for mode in MODES if mode not in modes)):
        case = {"model": name, "mode": mode}
        eager_model = in_mode(model, mode)
        arms[EAGER, mode] = forward(eager_model, data, mode)
        if mode not in modes:
            continue
        compiled = forward(torch.compile(in_mode(model, mode)), data, mode)
        _compile(seen, compiled, {**case, "cache": cache})
        cache = started(cache)
        if seen.process == 0:
            seen.check(COMPILED, EAGER, agreement(eager_model, compiled, data, mode), **case)
        arms[COMPILED, mode] = compiled
    arms[aa_arm(EAGER), modes[0]] = arms[EAGER, modes[0]]

    with nothing_compiled():
        timings = interleave(arms, rounds, random.Random(seed), device)
    for (arm, mode), timing in timings.items():
        seen.timing(arm, timing, model=name, mode=mode)
    if CORRECTED in modes:
        calls = {arm: arms[arm, CORRECTED] for arm in (EAGER, COMPILED)}
        record_library_time(seen, calls, device, {"model": name, "mode": CORRECTED})


def _compile(seen: Observations, compiled: Forward, case: dict[str, Any]) -> None:
    """Record the time of the first call, and what the compiler did in it and in later calls."""
    collect_garbage()
    with CompilerLog() as first:
        seconds = every_call(compiled, 1)
    with CompilerLog() as later:
        every_call(compiled, LATER_CALLS)
    seen.sample(names.FIRST_CALL, COMPILED, seconds, 1, **case)
    record_compilation(seen, first, later, case)


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    small, single = (
        Workload("resnet18", batch, arguments.image_size, tuple(arguments.depths))
        for batch in (arguments.small_batch_size, 1)
    )
    bert_tiny = Workload(
        "bert-tiny",
        arguments.bert_tiny_batch_size,
        sequence_length=arguments.bert_tiny_sequence_length,
        layers=arguments.bert_tiny_layers,
    )
    compiled = [mode for mode in MODES if mode in arguments.bert_tiny_modes]
    return {
        "workloads": {
            names.SMALL: (asdict(small), [CORRECTED]),
            names.ONE: (asdict(single), [CORRECTED]),
            names.BERT_TINY: (asdict(bert_tiny), compiled),
        }
    }


JOB = TimingJob(
    "compilation_modes",
    observe,
    sizes.BY_MODE,
    inputs=_inputs,
    compiles=True,
    stages=lambda arguments: Stages(arguments.processes, budget=None),
)
