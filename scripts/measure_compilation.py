"""Time torch.compile against eager execution on the lab's ResNet-18, from the first call on; write
a record.
"""

from __future__ import annotations

import argparse

from labs.experiments.compilation import lab
from labs.experiments.compilation.fitting import largest_batch
from labs.jobs.arguments import at_least
from labs.jobs.processes import run_in_processes
from labs.jobs.run import require_device
from labs.jobs.timing import add_timing_arguments
from labs.measure.processes import Stages


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image-size", type=at_least(64), required=True, help="pixels per side")
    parser.add_argument(
        "--depths", type=at_least(1), nargs=4, required=True, help="blocks per stage: 2 2 2 2"
    )
    parser.add_argument(
        "--batch-size",
        type=at_least(1),
        required=True,
        help="images; where they do not fit into the job's memory, as many as do",
    )
    parser.add_argument(
        "--processes",
        type=at_least(1),
        required=True,
        help="fresh processes of each mode, each with an empty compiler cache; 2 for intervals",
    )
    parser.add_argument(
        "--calls",
        type=at_least(4),
        required=True,
        help="calls of an arm in the corrected mode, the first included",
    )
    parser.add_argument(
        "--counts",
        type=at_least(2),
        nargs="+",
        required=True,
        help="iteration counts n to average over; the first is the lab's",
    )
    add_timing_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    require_device(arguments.device)
    arguments.asked_batch_size = arguments.batch_size
    arguments.batch_size = largest_batch(
        arguments.image_size,
        tuple(arguments.depths),
        arguments.asked_batch_size,
        arguments.device,
    )
    inputs = {
        "batch_size": arguments.batch_size,
        "image_size": arguments.image_size,
        "depths": arguments.depths,
        "lab_calls": arguments.counts[0],
        "calls": arguments.calls,
    }
    number = arguments.processes * len(lab.MODES)
    run_in_processes(
        "compilation", arguments, lab.observe, inputs, stages=Stages(number, budget=None)
    )


if __name__ == "__main__":
    main()
