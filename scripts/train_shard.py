"""Train one shard of the architectures of a grid: writes how many.

search_architectures.py then finds them trained. Trial i belongs to shard i modulo the number of
shards, which need nothing of each other.
"""

import argparse

import torch

from labs.experiments.search.architectures import observe as architectures
from labs.experiments.search.arguments import add_arguments, bench_of
from labs.experiments.search.sizes import ON_GRID
from labs.experiments.search.space import grid
from labs.files import write_text
from labs.jobs.arguments import at_least, taken
from labs.jobs.run import require_device
from labs.measure.threads import thread_count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, *ON_GRID, "shards")
    parser.add_argument("--shard", type=at_least(0), required=True, help="its number, from 0")
    arguments = parser.parse_args()
    require_device(arguments.device)
    torch.set_num_threads(thread_count(arguments.threads))
    trained = architectures.train_shard(
        bench_of(arguments),
        grid(**taken(arguments, grid)),
        arguments.shard,
        arguments.shards,
    )
    write_text(arguments.output, f"{trained} architectures are trained\n")


if __name__ == "__main__":
    main()
