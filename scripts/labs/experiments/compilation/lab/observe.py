"""The lab's own measurement, ResNet-18 on its batch: every call from the first on.

Each process starts with an empty compiler cache and runs one mode: the lab's own, for as many calls
as the lab averages, or the corrected one, for more. Each round calls eager and compiled code in
random order: the time of an arm's first n is the sum of its own calls, and both see one machine.
"""

import argparse
import random
from typing import Any

import torch

from labs.experiments.compilation import names, sizes
from labs.experiments.compilation.lab.fitting import largest_batch
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, LAB
from labs.experiments.compilation.workload import (
    Workload,
    agreement,
    collect_garbage,
    forward,
    in_mode,
    record_compilation,
    record_library_time,
)
from labs.jobs.timing import TimingJob
from labs.measure.compiler import CompilerLog
from labs.measure.processes import Stages
from labs.measure.rounds import in_turn
from labs.records.observations import Observations
from labs.records.timing import Timing

MODES = (LAB, CORRECTED)


def observe(
    process: int,
    batch_size: int,
    image_size: int,
    depths: list[int],
    lab_calls: int,
    calls: int,
    device: str,
    seed: int,
) -> Observations:
    """Return the observations of one process, which runs the mode that its number stands for.

    Of the lab's mode, each arm is called ``lab_calls`` times, of the corrected one ``calls`` times.
    """
    seen, rng = Observations(process), random.Random(seed)
    torch.manual_seed(seed)
    model, data = Workload("resnet18", batch_size, image_size, tuple(depths)).build(device)
    mode = MODES[process % len(MODES)]
    case = {"model": names.RESNET18, "mode": mode}
    cold = {**case, "cache": names.COLD}
    eager_model = in_mode(model, mode)
    arms = {
        EAGER: forward(eager_model, data, mode),
        COMPILED: forward(torch.compile(in_mode(model, mode)), data, mode),
    }
    collect_garbage()
    with CompilerLog() as first:
        first_calls = in_turn(arms, 1, rng)
    with CompilerLog() as later:
        later_calls = in_turn(arms, (lab_calls if mode == LAB else calls) - 1, rng)
    for arm in arms:
        seen.sample(names.FIRST_CALL, arm, [first_calls[arm][0].seconds[0]], 1, **cold)
        timing = Timing(1, [])
        timing.count(later_calls[arm], disturbed_too=True)
        seen.timing(arm, timing, **case)
    record_compilation(seen, first, later, cold)
    if mode == CORRECTED:
        record_library_time(seen, arms, device, case)
    if process < len(MODES):
        seen.check(COMPILED, EAGER, agreement(eager_model, arms[COMPILED], data, mode), **case)
    return seen


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the calls of the lab's loop; make the batch as large as memory holds."""
    requested, depths = arguments.batch_size, tuple(arguments.depths)
    arguments.asked_batch_size = requested
    arguments.batch_size = largest_batch(arguments.image_size, depths, requested, arguments.device)
    return {"lab_calls": arguments.counts[0]}


JOB = TimingJob(
    "compilation",
    observe,
    sizes.LAB,
    inputs=_inputs,
    stages=lambda arguments: Stages(arguments.processes * len(MODES), budget=None),
)
