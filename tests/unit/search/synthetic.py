"""A record of the search with known accuracies, as its programs would write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from labs.records.answers import pack
from labs.records.names.search import DEFAULT, SPACE, TRIAL, WINNER, written
from labs.records.names.studies import GRID, RANDOM, TPE
from tests.unit.synthetic import Row, fact, record

REVIEWS, SEEDS, SEARCHES = 1000, 2, 40
ACCURACIES = (0.70, 0.62, 0.66, 0.74, 0.68, 0.72)
"""Of the six architectures, with the first training seed."""

BEST, WORST = 3, 1


def answers(share: float) -> str:
    """Answers of which the first ones are right: two models differ in as few as they must."""
    return pack(np.arange(REVIEWS) < round(share * REVIEWS))


def shuffled(sampler: int) -> list[list[int]]:
    """Searches that try everything once, in orders of their own."""
    generator = np.random.default_rng(sampler)
    return [list(generator.permutation(len(ACCURACIES))) for _ in range(SEARCHES)]


def always(number: int) -> list[list[int]]:
    """Searches that try one architecture again and again."""
    return [[number] * len(ACCURACIES)] * SEARCHES


def search(
    orders: Mapping[str, Sequence[Sequence[int]]] | None = None,
    startup: int = 2,
    test: float = 0.73,
    default_test: float = 0.69,
    seeds_differ: float = 0.0,
    asking: float = 0.5,
    different: int = 0,
    misspelt: int = 0,
    meant: int = 10**9,
) -> Row:
    """The record; ``orders`` are the searches by sampler, of both training seeds alike."""
    replayed = {GRID: shuffled(0), RANDOM: shuffled(1), TPE: shuffled(2)} | dict(orders or {})
    facts: list[Row] = []
    for seed in range(SEEDS):
        shift = seeds_differ * (1 - 2 * seed)
        for number, share in enumerate(ACCURACIES):
            case: dict[str, Any] = {"number": number, "architecture": f"{number} layers"}
            correct = answers(share - 0.01 * seed)
            facts.append(fact(seed, "correct", correct, "text", TRIAL, split="validation", **case))
            facts.append(fact(seed, "loss", 0.8, "bits", TRIAL, split="validation", **case))
            facts.append(fact(seed, "parameters", 1000 + number, "count", TRIAL, **case))
            facts.append(fact(seed, "core-seconds", 5.0, "s", TRIAL, **case))
        facts.append(fact(seed, "asking", asking, "s", GRID))
        for sampler, searches in replayed.items():
            facts.append(fact(seed, "replays", written(searches), "text", sampler))
        for arm, split, share in (
            (WINNER, "validation", 0.74),
            (WINNER, "test", test + shift),
            (DEFAULT, "test", default_test),
        ):
            packed = answers(share)
            facts.append(
                fact(seed, "correct", packed, "text", arm, split=split, architecture="a model")
            )
        facts.append(fact(seed, "different answers", different, "count", WINNER))
    for seed, share in enumerate((0.70, 0.69, 0.71)):
        case = {"split": "validation", "architecture": "2 layers"}
        facts.append(fact(seed, "correct", answers(share), "text", DEFAULT, **case))
    for spelling, number in (("published", 153_600), ("meant", meant)):
        facts.append(fact(0, "architectures", number, "count", SPACE, spelling=spelling))
    for field, changed in (("num_hidden_layers", 1000), ("num_layers", misspelt)):
        case = {"field": field, "choice": "8"}
        facts.append(fact(0, "parameters changed", changed, "count", SPACE, **case))
    spec = {"startup": startup, "sampler_seeds": SEARCHES, "noise_seeds": 3, "max_length": 64}
    return record("search", spec, facts=facts)
