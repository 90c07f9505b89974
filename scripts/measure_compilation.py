"""Time torch.compile against eager execution on ResNet-18 and BERT-tiny; write a record."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from labs.experiments.compilation import MODES, Workload, observe
from labs.jobs.processes import add_process_arguments, run_in_processes
from labs.records.names.timing import FEWEST_COMPILED


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    resnet18 = parser.add_argument_group("ResNet-18, compiled first")
    resnet18.add_argument("--resnet18-batch-size", type=int, required=True, help="images")
    resnet18.add_argument("--resnet18-image-size", type=int, required=True, help="pixels per side")
    resnet18.add_argument(
        "--resnet18-depths", type=int, nargs="+", required=True, help="blocks per stage: 2 2 2 2"
    )
    bert_tiny = parser.add_argument_group("BERT-tiny")
    bert_tiny.add_argument("--bert-tiny-batch-size", type=int, required=True, help="sequences")
    bert_tiny.add_argument("--bert-tiny-sequence-length", type=int, required=True, help="tokens")
    bert_tiny.add_argument("--bert-tiny-layers", type=int, required=True, help="encoder layers: 2")
    for group, model in ((resnet18, "resnet18"), (bert_tiny, "bert-tiny")):
        group.add_argument(
            f"--{model}-modes",
            nargs="+",
            choices=MODES,
            required=True,
            help="modes in compilation order; train+grad is the lab's own",
        )
    parser.add_argument(
        "--counts", type=int, nargs="+", required=True, help="iteration counts n to average over"
    )
    add_process_arguments(parser, FEWEST_COMPILED)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    workloads = (
        Workload(
            "resnet18",
            tuple(arguments.resnet18_modes),
            arguments.resnet18_batch_size,
            image_size=arguments.resnet18_image_size,
            depths=tuple(arguments.resnet18_depths),
        ),
        Workload(
            "bert-tiny",
            tuple(arguments.bert_tiny_modes),
            arguments.bert_tiny_batch_size,
            sequence_length=arguments.bert_tiny_sequence_length,
            layers=arguments.bert_tiny_layers,
        ),
    )
    inputs = {
        "workloads": [asdict(workload) for workload in workloads],
        "calls": max(arguments.counts),
        "rounds": arguments.rounds,
    }
    run_in_processes("compilation", arguments, observe, inputs, compiles=True, across=("mode",))


if __name__ == "__main__":
    main()
