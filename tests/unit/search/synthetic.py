"""A record of the search with known accuracies, as its programs would write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from labs.experiments.search.winner import TESTED
from labs.records.answers import pack
from labs.records.losses import pack_losses
from labs.records.names.search import (
    COMPRESSED,
    DEFAULT,
    EPOCHS,
    LAB_SPACE,
    RETRAINED,
    SPACE,
    TRIAL,
    WINNER,
    written,
)
from labs.records.names.studies import GRID, RANDOM, TPE
from tests.unit.synthetic import Row, fact, record

REVIEWS, SEEDS, SEARCHES = 1000, 2, 40
ACCURACIES = (0.70, 0.62, 0.66, 0.74, 0.68, 0.72)
"""Of the six architectures, with the first training seed."""

EARLY_LOSSES = (0.97, 0.99, 0.98, 0.95, 0.975, 0.96)
"""Of the six architectures: the order of their accuracies."""

BEST, WORST = 3, 1

SENSITIVE = (0.0, -0.01, -0.02, -0.2, -0.03, -0.04)
"""What compression costs, most of all the best architecture."""

FALLS, RISES = (0.9, 0.8, 0.7, 0.6), (0.9, 0.7, 0.8, 0.9)
"""Validation losses of the longer training, twice an epoch for two epochs."""


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


def longer(
    seed: int, losses: Sequence[float], accuracies: Sequence[float], training: Sequence[float]
) -> list[Row]:
    """The facts of the winner's longer training: four batches an epoch, judged after each two."""
    found = [fact(seed, "batches", 4, "count", EPOCHS)]
    for step in range(1, 9):
        loss = training[(step - 1) % 4]
        found.append(fact(seed, "loss", loss, "bits", EPOCHS, split="train", step=step))
    noise = np.random.default_rng(seed).normal(0, 0.01, (len(losses), REVIEWS))
    for place, (loss, share) in enumerate(zip(losses, accuracies, strict=True)):
        case = {"split": "validation", "step": 2 * place + 2}
        packed = pack_losses(loss + noise[place])
        found.append(fact(seed, "losses", packed, "text", EPOCHS, **case))
        found.append(fact(seed, "correct", answers(share), "text", EPOCHS, **case))
    return found


def on_lab_space(lab: Mapping[str, Sequence[Sequence[float]]]) -> list[Row]:
    """The facts of searches on the lab's whole space; equal accuracies are one architecture."""
    found = []
    for sampler, seeds in lab.items():
        for seed, accuracies in enumerate(seeds):
            for trial, share in enumerate(accuracies, start=1):
                case: dict[str, Any] = {"sampler": sampler, "trial": trial}
                case["architecture"] = f"2 layers, hidden size {share}"
                packed = answers(share)
                found.append(
                    fact(seed, "correct", packed, "text", LAB_SPACE, split="validation", **case)
                )
                found.append(fact(seed, "core-seconds", 10.0, "s", LAB_SPACE, **case))
                found.append(fact(seed, "parameters", 1000, "count", LAB_SPACE, **case))
    return found


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
    compressed: Sequence[float] = (-0.05,) * len(ACCURACIES),
    retrained: float = 0.04,
    tested: Mapping[tuple[str, str], float] | None = None,
    losses: Sequence[float] = FALLS,
    accuracies: Sequence[float] = (0.6, 0.7, 0.7, 0.7),
    training: Sequence[float] = (1.0, 0.9, 0.8, 0.7),
    lab: Mapping[str, Sequence[Sequence[float]]] | None = None,
    early: Sequence[float] = EARLY_LOSSES,
) -> Row:
    """The record; ``orders`` are the searches by sampler, of both training seeds alike.

    ``compressed`` and ``retrained`` are what the stages add to the accuracies; ``tested`` are the
    test accuracies by objective and stage that are not 0.7. The next three are of the winner's
    longer training: by point, by point, and by batch of an epoch. ``lab`` are the accuracies of
    searches on the lab's whole space, by sampler, training seed and trial. ``early`` are the
    architectures' losses early in their training.
    """
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
            facts.append(fact(seed, "early loss", early[number], "bits", TRIAL, **case))
            facts.append(fact(seed, "core-seconds", 5.0, "s", TRIAL, **case))
            for stage, added in ((COMPRESSED, compressed[number]), (RETRAINED, retrained)):
                packed = answers(share + added - 0.01 * seed)
                validation = {"split": "validation", **case}
                facts.append(fact(seed, "correct", packed, "text", stage, **validation))
                facts.append(fact(seed, "core-seconds", 4.0, "s", stage, **case))
            facts.append(fact(seed, "rounded to zero", 0.8, "share", COMPRESSED, **case))
        for stage in (COMPRESSED, RETRAINED):
            everything = written(replayed[GRID])
            facts.append(fact(seed, "replays", everything, "text", stage, sampler=GRID))
        for objective, stages in TESTED.items():
            for stage in stages:
                packed = answers((tested or {}).get((objective, stage), 0.7))
                case = {"split": "test", "objective": objective, "architecture": objective}
                facts.append(fact(seed, "correct", packed, "text", stage, **case))
        facts += longer(seed, losses, accuracies, training)
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
    spec: dict[str, Any] = {"startup": startup, "sampler_seeds": SEARCHES, "max_length": 64}
    spec |= {"compressed_epochs": 1, "more_epochs": 2}
    spec |= {"layers": [2], "replaced": ["value"], "reviews": 96, "epochs": 1}
    spec |= {"learning_rate": 0.001}
    if lab:
        facts += on_lab_space(lab)
        spec["lab_trials"] = len(lab[TPE][0])
    return record("search", spec, facts=facts)
