"""The compression-aware searches: the best sampler on what compressed models are worth."""

from collections.abc import Sequence

import numpy as np

from labs.experiments.search import space as spaces
from labs.experiments.search.bench import Bench
from labs.experiments.search.names import COMPRESSED, RETRAINED, SAMPLERS, TRIAL, read, written
from labs.experiments.search.replay import Comparison, replays
from labs.records.answers import unpack
from labs.records.names.studies import Space
from labs.records.observations import Observations
from labs.records.record import Record


def best_sampler(parts: Sequence[Record]) -> str:
    """Return the sampler whose searches without compression have the best accuracy halfway.

    It is the mean over its searches and all training seeds; of several equals it is the first.
    """
    reached = {name: np.mean([_halfway(part, name) for part in parts]) for name in SAMPLERS}
    return max(SAMPLERS, key=lambda name: reached[name])


def observe(
    seen: Observations, bench: Bench, space: Space, sampler: str, comparison: Comparison
) -> None:
    """Keep the searches of a sampler for the best compressed, and the best retrained, model."""
    architectures = spaces.architectures(space)
    for objective in (COMPRESSED, RETRAINED):
        values = [bench.accuracy(architecture, objective) for architecture in architectures]
        orders = replays(sampler, space, values, comparison)
        seen.fact("replays", written(orders), "text", objective, sampler=sampler)


def _halfway(part: Record, sampler: str) -> float:
    """Return the mean of what a sampler's searches have found after half of their trials."""
    trials = {
        fact["case"]["number"]: float(unpack(fact["value"]).mean())
        for fact in part["facts"]
        if fact["name"] == "correct" and fact["arm"] == TRIAL
    }
    (text,) = (
        fact["value"]
        for fact in part["facts"]
        if fact["name"] == "replays" and fact["arm"] == sampler
    )
    half = (len(trials) + 1) // 2
    best = [max(trials[number] for number in order[:half]) for order in read(text)]
    return float(np.mean(best))
