"""Time what eval(), no_grad() and a compiler cache do to eager and compiled models; write a record.

The models are ResNet-18 on a small batch and on one image, and BERT-tiny.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from labs.experiments.compilation import modes
from labs.experiments.compilation.workload import Workload
from labs.jobs.arguments import at_least
from labs.jobs.processes import run_in_processes
from labs.jobs.timing import add_timing_arguments
from labs.measure.processes import Stages
from labs.records.names.compilation import BERT_TINY, CORRECTED, LAB, MODES, ONE, SMALL
from labs.records.names.timing import FEWEST_COMPILED


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    images = parser.add_argument_group("ResNet-18")
    images.add_argument("--small-batch-size", type=at_least(2), required=True, help="images")
    images.add_argument("--image-size", type=at_least(64), required=True, help="pixels per side")
    images.add_argument(
        "--depths", type=at_least(1), nargs=4, required=True, help="blocks per stage: 2 2 2 2"
    )
    tokens = parser.add_argument_group("BERT-tiny")
    tokens.add_argument("--bert-tiny-batch-size", type=at_least(1), required=True, help="sequences")
    tokens.add_argument(
        "--bert-tiny-sequence-length", type=at_least(1), required=True, help="tokens"
    )
    tokens.add_argument(
        "--bert-tiny-layers", type=at_least(1), required=True, help="encoder layers: 2"
    )
    tokens.add_argument(
        "--bert-tiny-modes",
        nargs="+",
        choices=[LAB, CORRECTED],
        required=True,
        help="modes in which it is compiled",
    )
    parser.add_argument(
        "--processes",
        type=at_least(FEWEST_COMPILED),
        required=True,
        help="fresh processes; the first half have an empty compiler cache, which the others take",
    )
    parser.add_argument(
        "--rounds", type=at_least(1), required=True, help="interleaved rounds per process"
    )
    add_timing_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    small, one = (
        Workload("resnet18", batch, arguments.image_size, tuple(arguments.depths))
        for batch in (arguments.small_batch_size, 1)
    )
    bert_tiny = Workload(
        "bert-tiny",
        arguments.bert_tiny_batch_size,
        sequence_length=arguments.bert_tiny_sequence_length,
        layers=arguments.bert_tiny_layers,
    )
    workloads = {
        SMALL: (asdict(small), [CORRECTED]),
        ONE: (asdict(one), [CORRECTED]),
        BERT_TINY: (
            asdict(bert_tiny),
            [mode for mode in MODES if mode in arguments.bert_tiny_modes],
        ),
    }
    inputs = {"workloads": workloads, "rounds": arguments.rounds}
    run_in_processes(
        "compilation_modes",
        arguments,
        modes.observe,
        inputs,
        stages=Stages(arguments.processes, budget=None),
        compiles=True,
    )


if __name__ == "__main__":
    main()
