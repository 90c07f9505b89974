"""Time what eval(), no_grad() and a compiler cache do to eager and compiled models; write a record.

The models are ResNet-18 on a small batch and on one image, and BERT-tiny.
"""

import argparse
from dataclasses import asdict

from labs.experiments.compilation.modes import observe as modes
from labs.experiments.compilation.names import BERT_TINY, CORRECTED, MODES, ONE, SMALL
from labs.experiments.compilation.sizes import BY_MODE, COMPILATION
from labs.experiments.compilation.workload import Workload
from labs.jobs.arguments import add_settings
from labs.jobs.processes import add_timing_arguments, run_in_processes
from labs.measure.processes import Stages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, COMPILATION, *BY_MODE)
    add_timing_arguments(parser, "processes", "rounds")
    arguments = parser.parse_args()
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
    compiled = [mode for mode in MODES if mode in arguments.bert_tiny_modes]
    run_in_processes(
        "compilation_modes",
        arguments,
        modes.observe,
        stages=Stages(arguments.processes, budget=None),
        compiles=True,
        workloads={
            SMALL: (asdict(small), [CORRECTED]),
            ONE: (asdict(one), [CORRECTED]),
            BERT_TINY: (asdict(bert_tiny), compiled),
        },
    )


if __name__ == "__main__":
    main()
