"""Search the lab's whole space with one sampler and one training seed: writes a record.

A killed search goes on with the same command: it finds what was evaluated.
"""

import argparse

from labs.experiments.search.arguments import add_arguments, bench_of
from labs.experiments.search.lab_space.observe import observe
from labs.experiments.search.names import LAB_SAMPLERS
from labs.experiments.search.sizes import ON_BENCH
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sampler", choices=LAB_SAMPLERS, required=True)
    add_arguments(parser, *ON_BENCH, "startup", "lab-trials")
    arguments = parser.parse_args()
    run_once("search", arguments, observe, bench=bench_of(arguments))


if __name__ == "__main__":
    main()
