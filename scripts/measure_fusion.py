"""Time attention and linear + ReLU, as written, compiled and fused; write a record."""

import argparse

from labs.experiments.fusion.attention import observe as attention
from labs.experiments.fusion.observe import observe
from labs.experiments.fusion.sizes import FUSION
from labs.jobs.arguments import add_settings, taken
from labs.jobs.processes import add_timing_arguments, run_in_processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, FUSION)
    add_timing_arguments(parser, "processes", "budget", "rounds")
    arguments = parser.parse_args()
    sizes = taken(arguments, attention.Sizes)
    run_in_processes("fusion", arguments, observe, compiles=True, narrows=True, sizes=sizes)


if __name__ == "__main__":
    main()
