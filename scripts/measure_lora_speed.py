"""Time training steps of full fine-tuning and of LoRA; write a record."""

import argparse

from labs.experiments.lora.sizes import LORA, WAYS
from labs.experiments.lora.speed.observe import observe
from labs.experiments.lora.ways import Ways
from labs.jobs.arguments import add_files, add_settings, taken
from labs.jobs.processes import add_timing_arguments, run_in_processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_files(parser, "encoder", "tokens")
    add_settings(parser, LORA, *WAYS)
    add_timing_arguments(parser, "max-length", "processes", "budget", "rounds")
    arguments = parser.parse_args()
    run_in_processes("lora", arguments, observe, ways=taken(arguments, Ways))


if __name__ == "__main__":
    main()
