"""What eval(), no_grad() and a compiler cache do, on smaller batches and on another model.

All workloads and modes of a replicate share a fresh process, whose compiler cache is empty or was
left by an earlier one.  The first of them also waits for the compiler to start, so its cache state
has its own name.
"""

import argparse
import random
from functools import partial
from typing import Any

import torch

from labs.experiments.compilation import names, sizes
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, MODES, started
from labs.experiments.compilation.workload import (
    Forward,
    InMode,
    Workload,
    compiling,
    record_libraries,
)
from labs.jobs.timing import TimingJob
from labs.measure.clock import every_call
from labs.measure.compiler import nothing_compiled
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

    Each name has the sizes of its ``Workload``, and the modes that are compiled, in order. Then all
    its arms are timed in interleaved rounds, together with eager execution in the remaining modes,
    which needs no compilation.
    """
    seen = Observations(process)
    torch.manual_seed(seed)
    cache = names.COLD if cold else names.WARM
    for name, (sizes_of, modes) in workloads.items():
        model, data = Workload(**sizes_of).build(device)
        arms: dict[tuple[str, str], Forward] = {}
        for mode in (*modes, *(mode for mode in MODES if mode not in modes)):
            in_mode = InMode(model, data, mode)
            arms[EAGER, mode] = in_mode.eager
            if mode not in modes:
                continue
            arms[COMPILED, mode] = compiled = in_mode.compiled()
            case = {"model": name, "mode": mode}
            at_first = {**case, "cache": cache}
            first, _ = compiling(seen, at_first, partial(every_call, compiled), LATER_CALLS)
            seen.sample(names.FIRST_CALL, COMPILED, first, 1, **at_first)
            cache = started(cache)
            if process == 0:
                seen.check(COMPILED, EAGER, in_mode.agreement(compiled), **case)
        arms[aa_arm(EAGER), modes[0]] = arms[EAGER, modes[0]]
        with nothing_compiled():
            timings = interleave(arms, rounds, random.Random(seed), device)
        for (arm, mode), timing in timings.items():
            seen.timing(arm, timing, model=name, mode=mode)
        if CORRECTED in modes:
            calls = {arm: arms[arm, CORRECTED] for arm in (EAGER, COMPILED)}
            record_libraries(seen, calls, device, {"model": name, "mode": CORRECTED})
    return seen


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    images = {"image_size": arguments.image_size, "depths": arguments.depths}
    tokens = {
        "batch_size": arguments.bert_tiny_batch_size,
        "sequence_length": arguments.bert_tiny_sequence_length,
        "layers": arguments.bert_tiny_layers,
    }
    compiled = [mode for mode in MODES if mode in arguments.bert_tiny_modes]
    return {
        "workloads": {
            names.SMALL: ({"batch_size": arguments.small_batch_size, **images}, [CORRECTED]),
            names.ONE: ({"batch_size": 1, **images}, [CORRECTED]),
            names.BERT_TINY: (tokens, compiled),
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
