"""Train the architectures of a grid beside other workers that do the same: writes how many.

search_architectures.py then finds them trained. Each worker ends when all are.
"""

from __future__ import annotations

import argparse

import torch

from labs.experiments.search import architectures
from labs.experiments.search.arguments import add_arguments, bench_of, space_of
from labs.files import write_text
from labs.jobs.run import require_device
from labs.measure.threads import thread_count


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    require_device(arguments.device)
    torch.set_num_threads(thread_count(arguments.threads))
    bench = bench_of(arguments)
    trials = architectures.train_all(bench, space_of(arguments))
    write_text(arguments.output, f"{len(trials)} architectures are trained\n")


if __name__ == "__main__":
    main()
