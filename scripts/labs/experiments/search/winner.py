"""The architecture that the search chose, on the test split; and the noise of one architecture.

The test split is read here and nowhere else: for the winner, and for BERT-tiny trained alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labs.experiments.search.bench import Bench
from labs.records.answers import unpack
from labs.records.names.search import DEFAULT, TRIAL, WINNER, Architecture, described
from labs.records.observations import Observations
from labs.records.record import Record


def choose(parts: Sequence[Record]) -> int:
    """Return the number of the architecture with the best mean accuracy over all training seeds.

    Of several that are equally good it is the first.
    """
    accuracies: dict[int, list[float]] = {}
    for part in parts:
        for fact in part["facts"]:
            if fact["name"] == "correct" and fact["arm"] == TRIAL:
                number = fact["case"]["number"]
                accuracies.setdefault(number, []).append(float(unpack(fact["value"]).mean()))
    return max(sorted(accuracies), key=lambda number: np.mean(accuracies[number]))


def observe(
    bench: Bench, replicate: int, winner: Architecture, default: Architecture, *, tested: bool
) -> Observations:
    """Return what one training seed saw of the winner and of the default architecture.

    Where ``tested``, both are trained again and judged on the test split; with the other seeds the
    default alone is judged, on validation, to show how far seeds scatter.
    """
    seen = Observations(replicate)
    trained = bench.evaluate(default)
    _keep(seen, trained["correct"], DEFAULT, "validation", default)
    if tested:
        for arm, architecture in ((WINNER, winner), (DEFAULT, default)):
            model = bench.train(architecture)
            _keep(seen, bench.answers(model, "test"), arm, "test", architecture)
            if arm == WINNER:
                again = bench.answers(model, "validation")
                _keep(seen, again, arm, "validation", architecture)
                known = unpack(bench.evaluate(architecture)["correct"])
                different = int((unpack(again) != known).sum())
                seen.fact("different answers", different, "count", arm)
    return seen


def _keep(
    seen: Observations, correct: str, arm: str, split: str, architecture: Architecture
) -> None:
    case = {"split": split, "architecture": described(architecture)}
    seen.fact("correct", correct, "text", arm, **case)
