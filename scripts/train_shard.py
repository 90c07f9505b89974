"""Train one shard of the architectures of a grid: writes how many.

search_architectures.py then finds them trained. Trial i belongs to shard i modulo the number of
shards, which need nothing of each other.
"""

from __future__ import annotations

import argparse

import torch

from labs.experiments.search import architectures
from labs.experiments.search.arguments import add_arguments, bench_of, space_of
from labs.files import write_text
from labs.jobs.arguments import at_least
from labs.jobs.run import require_device
from labs.measure.threads import thread_count


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument("--shard", type=at_least(0), required=True, help="its number, from 0")
    parser.add_argument("--shards", type=at_least(1), required=True, help="how many there are")
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    require_device(arguments.device)
    torch.set_num_threads(thread_count(arguments.threads))
    bench = bench_of(arguments)
    trained = architectures.train_shard(
        bench, space_of(arguments), arguments.shard, arguments.shards
    )
    write_text(arguments.output, f"{trained} architectures are trained\n")


if __name__ == "__main__":
    main()
