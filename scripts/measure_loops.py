"""Time this project's training loop against transformers' Trainer; write a record."""

import argparse

from labs.experiments.loops.observe import observe
from labs.experiments.loops.sizes import LOOPS
from labs.jobs.arguments import add_files, add_settings
from labs.jobs.processes import add_timing_arguments, run_in_processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_files(parser, "model", "tokens", "vocabulary")
    add_settings(parser, LOOPS)
    add_timing_arguments(parser, "processes", "budget")
    run_in_processes("loops", parser.parse_args(), observe)


if __name__ == "__main__":
    main()
