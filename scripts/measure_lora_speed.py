"""Time training steps of full fine-tuning and of LoRA; write a record."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from labs.experiments.lora.speed import observe
from labs.experiments.lora.ways import add_ways_arguments, ways_of
from labs.jobs.processes import add_process_arguments, run_in_processes


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_ways_arguments(parser)
    add_process_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    inputs = {
        "encoder": str(arguments.encoder),
        "tokens": str(arguments.tokens),
        "ways": asdict(ways_of(arguments)),
        "rounds": arguments.rounds,
    }
    run_in_processes("lora", arguments, observe, inputs)


if __name__ == "__main__":
    main()
