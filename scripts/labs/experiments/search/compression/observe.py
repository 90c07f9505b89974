"""The compression-aware searches: the best sampler on what compressed models are worth."""

from collections.abc import Sequence

import numpy as np

from labs.experiments.search import names, sizes, winner
from labs.experiments.search import space as spaces
from labs.experiments.search.bench import Bench
from labs.experiments.search.job import job
from labs.experiments.search.replay import replays
from labs.experiments.search.sizes import Comparison
from labs.records.names.studies import Space
from labs.records.observations import Observations
from labs.records.record import Record


def observe(
    bench: Bench, replicate: int, space: Space, parts: Sequence[Record], comparison: Comparison
) -> Observations:
    """Return the answers on the test split of what was chosen, and the searches after compression.

    A seed without a part was not searched with: it shows how far seeds scatter.
    """
    seen, architectures = Observations(replicate), spaces.architectures(space)
    tested = replicate < len(parts)
    winner.observe_default(seen, bench, architectures[0], tested=tested)
    if tested:
        winners = {one: architectures[winner.choose(parts, one)] for one in names.OBJECTIVES}
        winner.observe_winners(seen, bench, winners)
        sampler = best_sampler(parts)
        for objective in (names.COMPRESSED, names.RETRAINED):
            values = [bench.accuracy(architecture, objective) for architecture in architectures]
            found = replays(sampler, space, values, comparison)
            seen.fact("replays", found, "text", objective, sampler=sampler)
    if replicate == 0:
        spaces.observe(seen)
    return seen


def best_sampler(parts: Sequence[Record]) -> str:
    """Return the sampler whose searches without compression have the best accuracy halfway.

    It is the mean over its searches and all training seeds; of several equals it is the first.
    """
    reached = {name: np.mean([_halfway(part, name) for part in parts]) for name in names.SAMPLERS}
    return max(reached, key=lambda name: reached[name])


def _halfway(part: Record, sampler: str) -> float:
    """Return the mean of what a sampler's searches have found after half of their trials."""
    accuracies = winner.accuracies(part, names.TRIAL)
    (text,) = (
        fact["value"]
        for fact in part["facts"]
        if (fact["name"], fact["arm"]) == ("replays", sampler)
    )
    half = (len(accuracies) + 1) // 2
    best = [max(accuracies[number] for number in order[:half]) for order in names.read(text)]
    return float(np.mean(best))


JOB = job(observe, sizes.COMPRESSION)
