"""Searches replayed on a table of evaluations: what a sampler would have found."""

import sys
from collections.abc import Sequence

from labs.experiments.search.sizes import Comparison
from labs.experiments.search.space import architectures
from labs.records.names.studies import Space
from labs.studies.samplers import Sampler


def replay(name: str, space: Space, values: Sequence[float], startup: int, seed: int) -> list[int]:
    """Return the numbers of the architectures that a sampler tries, in its order.

    ``values`` are those of all architectures of the space. There are as many trials as
    architectures.
    """
    grid = architectures(space)
    sampler = Sampler(name, space, seed, startup)
    study = sampler.study()
    order = []
    for _ in values:
        trial = sampler.ask(study)
        order.append(grid.index(trial.params))
        study.tell(trial, values[order[-1]])
    return order


def replays(
    name: str, space: Space, values: Sequence[float], comparison: Comparison
) -> list[list[int]]:
    """Return one replay a seed."""
    seeds = range(comparison.sampler_seeds)
    print(f"replaying {name} with {len(seeds)} seeds", file=sys.stderr, flush=True)
    return [replay(name, space, values, comparison.startup, seed) for seed in seeds]
