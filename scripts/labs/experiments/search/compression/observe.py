"""The compression-aware searches: the best sampler on what compressed models are worth."""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from labs.experiments.search import names, sizes, winner
from labs.experiments.search import space as spaces
from labs.experiments.search.bench import Bench
from labs.experiments.search.inputs import FILES, bench, parts, space
from labs.experiments.search.replay import replays
from labs.experiments.search.sizes import Comparison
from labs.jobs.arguments import taken
from labs.jobs.job import Job
from labs.records.names.studies import Space
from labs.records.observations import Observations
from labs.records.packed import unpack
from labs.records.record import Record


def best_sampler(parts: Sequence[Record]) -> str:
    """Return the sampler whose searches without compression have the best accuracy halfway.

    It is the mean over its searches and all training seeds; of several equals it is the first.
    """
    reached = {name: np.mean([_halfway(part, name) for part in parts]) for name in names.SAMPLERS}
    return max(names.SAMPLERS, key=lambda name: reached[name])


def observe(
    bench: Bench, replicate: int, grid: Space, parts: Sequence[Record], comparison: Comparison
) -> Observations:
    """Return the answers on the test split of what was chosen, and the searches after compression.

    A seed without a part was not searched with: it shows how far seeds scatter.
    """
    seen, architectures = Observations(replicate), spaces.architectures(grid)
    tested = replicate < len(parts)
    winner.observe_default(seen, bench, architectures[0], tested=tested)
    if tested:
        winners = {
            objective: architectures[winner.choose(parts, objective)]
            for objective in names.OBJECTIVES
        }
        winner.observe_winners(seen, bench, winners)
        _observe_searches(seen, bench, grid, best_sampler(parts), comparison)
    if replicate == 0:
        spaces.observe(seen)
    return seen


def _observe_searches(
    seen: Observations, bench: Bench, space: Space, sampler: str, comparison: Comparison
) -> None:
    """Keep the searches of a sampler for the best compressed, and the best retrained, model."""
    architectures = spaces.architectures(space)
    for objective in (names.COMPRESSED, names.RETRAINED):
        values = [bench.accuracy(architecture, objective) for architecture in architectures]
        orders = replays(sampler, space, values, comparison)
        seen.fact("replays", names.written(orders), "text", objective, sampler=sampler)


def _halfway(part: Record, sampler: str) -> float:
    """Return the mean of what a sampler's searches have found after half of their trials."""
    accuracies = {
        fact["case"]["number"]: float(unpack(fact["value"]).mean())
        for fact in part["facts"]
        if (fact["name"], fact["arm"]) == ("correct", names.TRIAL)
    }
    (text,) = (
        fact["value"]
        for fact in part["facts"]
        if (fact["name"], fact["arm"]) == ("replays", sampler)
    )
    half = (len(accuracies) + 1) // 2
    best = [max(accuracies[number] for number in order[:half]) for order in names.read(text)]
    return float(np.mean(best))


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    comparison = Comparison(**taken(arguments, Comparison))
    inputs = {"grid": space(arguments), "parts": parts(arguments), "comparison": comparison}
    return bench(arguments) | inputs


JOB = Job(
    "search", observe, sizes.COMPRESSION, files=(*FILES, "parts"), replicated=True, inputs=_inputs
)
