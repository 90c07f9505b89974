"""Time fake-quantized training steps, and pruned models at inference; write a record."""

import argparse

from labs.experiments.compression.sizes import SPEED
from labs.experiments.compression.speed.observe import observe
from labs.jobs.arguments import add_settings
from labs.jobs.processes import add_timing_arguments, run_in_processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, SPEED)
    add_timing_arguments(parser, "processes", "budget", "rounds")
    arguments = parser.parse_args()
    run_in_processes("compression_speed", arguments, observe, across=("way", "sparsity"))


if __name__ == "__main__":
    main()
