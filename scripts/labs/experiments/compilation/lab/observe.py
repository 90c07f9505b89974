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
from labs.experiments.compilation.workload import InMode, Workload, compiling, record_libraries
from labs.jobs.timing import TimingJob
from labs.measure.processes import Stages
from labs.measure.rounds import interleave_from_first_call
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
    model, data = Workload(batch_size, image_size, depths).build(device)
    mode = MODES[process % len(MODES)]
    case = {"model": names.RESNET18, "mode": mode}
    cold = {**case, "cache": names.COLD}
    in_mode = InMode(model, data, mode)
    arms = {EAGER: in_mode.eager, COMPILED: in_mode.compiled()}
    later = (lab_calls if mode == LAB else calls) - 1
    first_calls, later_calls = compiling(
        seen, cold, lambda n: interleave_from_first_call(arms, n, rng), later
    )
    for arm in arms:
        seen.sample(names.FIRST_CALL, arm, [first_calls[arm][0].seconds[0]], 1, **cold)
        timing = Timing(1, [])
        timing.count(later_calls[arm], disturbed_too=True)
        seen.timing(arm, timing, **case)
    if mode == CORRECTED:
        record_libraries(seen, arms, device, case)
    if process < len(MODES):
        seen.check(COMPILED, EAGER, in_mode.agreement(arms[COMPILED]), **case)
    return seen


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the calls of the lab's loop; make the batch as large as memory holds."""
    arguments.asked_batch_size = arguments.batch_size
    asked = Workload(arguments.batch_size, arguments.image_size, arguments.depths)
    arguments.batch_size = largest_batch(asked, arguments.device)
    return {"lab_calls": arguments.counts[0]}


JOB = TimingJob(
    "compilation",
    observe,
    sizes.LAB,
    inputs=_inputs,
    stages=lambda arguments: Stages(arguments.processes * len(MODES), budget=None),
)
