"""Searches replayed on a table of evaluations: what a sampler would have found."""

import sys
from collections.abc import Sequence

from labs.experiments.search.names import written
from labs.experiments.search.sizes import Comparison
from labs.experiments.search.space import architectures
from labs.records.names.studies import Space
from labs.studies.samplers import Sampler


def replays(name: str, space: Space, values: Sequence[float], comparison: Comparison) -> str:
    """Return the replays of a sampler, one a seed, as ``written`` keeps them.

    ``values`` are those of all architectures of the space. There are as many trials as
    architectures.
    """
    seeds, grid = range(comparison.sampler_seeds), architectures(space)
    print(f"replaying {name} with {len(seeds)} seeds", file=sys.stderr, flush=True)
    orders = []
    for seed in seeds:
        sampler = Sampler(name, space, seed, comparison.startup)
        study, order = sampler.study(), []
        for _ in values:
            trial = sampler.ask(study)
            order.append(grid.index(trial.params))
            study.tell(trial, values[order[-1]])
        orders.append(order)
    return written(orders)
