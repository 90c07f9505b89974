"""Time torch.compile against eager execution on one model: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.compilation import MODES, Plan, Workload, measure


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=["resnet18", "bert-tiny"], required=True)
    parser.add_argument("--batch-size", type=int, required=True, help="inputs a batch")
    parser.add_argument("--image-size", type=int, help="resnet18: pixels a side")
    parser.add_argument("--depths", type=int, nargs="+", help="resnet18: blocks a stage, 2 2 2 2")
    parser.add_argument("--sequence-length", type=int, help="bert-tiny: tokens an input")
    parser.add_argument("--layers", type=int, help="bert-tiny: encoder layers, 2")
    parser.add_argument(
        "--modes", nargs="+", choices=MODES, required=True, help="train+grad is the lab's own"
    )
    parser.add_argument(
        "--counts", type=int, nargs="+", required=True, help="iteration counts n to average over"
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    workload = Workload(
        arguments.model,
        arguments.batch_size,
        arguments.image_size,
        tuple(arguments.depths or ()),
        arguments.sequence_length,
        arguments.layers,
    )
    plan = Plan(
        tuple(arguments.modes), tuple(arguments.counts), arguments.processes, arguments.rounds
    )
    jobs.run(
        "compilation",
        arguments.model,
        arguments,
        lambda threads: measure(workload, plan, arguments.device, threads, arguments.seed),
    )


if __name__ == "__main__":
    main()
