"""Records of the data and training jobs with known contents, as the programs would write them."""

from __future__ import annotations

import numpy as np

from labs.records.answers import pack
from tests.unit.synthetic import PROCESSES, Row, fact, record, sample

REVIEWS = 1000
BATCH = 32
"""Reviews of a training step of SFT and of LoRA."""


def answers(process: int, arm: str, share: float, split: str) -> Row:
    """The fact that an arm classified this share of the reviews correctly: the first ones."""
    right = pack(np.arange(REVIEWS) < share * REVIEWS)
    return {**fact(process, "correct", 0, "text", arm, split=split), "value": right}


def data(in_two_splits: int = 0, positive: int = 50) -> Row:
    """A record of the reviews: 100 per split, ``positive`` of them positive."""
    facts = [
        {**fact(0, "source", 0, "text", "reviews"), "value": "here"},
        {**fact(0, "licence", 0, "text", "reviews"), "value": "none"},
        fact(0, "read", 310, "count", "reviews"),
        fact(0, "kept", 300, "count", "reviews"),
        fact(0, "texts in two splits", in_two_splits, "count", "reviews"),
        fact(0, "different words", 299, "count", "reviews"),
    ]
    for split in ("train", "validation", "test"):
        for label, number in enumerate((100 - positive, positive)):
            facts.append(fact(0, "reviews", number, "count", split, label=label))
    for length, padding in ((128, 1.1), (512, 1.8)):
        facts.append(fact(0, "median tokens", length / 2, "count", "train", max_length=length))
        facts.append(fact(0, "cut", 0.2, "share", "train", max_length=length))
        for arm, positions in (("random batches", padding), ("grouped batches", 1.0)):
            facts.append(fact(0, "positions a token", positions, "ratio", arm, max_length=length))
    return record("reviews", {"max_length": 128, "batch_size": 32}, facts=facts)


def base(accuracy: float = 0.85, unmasked: float = 0.6) -> Row:
    """A base model trained for two epochs to this accuracy, and what it has without a mask."""
    facts = [fact(0, "parameters", 4_000_000, "count", "BERT-tiny")]
    for split in ("train", "validation", "test"):
        facts.append(fact(0, "reviews", REVIEWS, "count", "BERT-tiny", split=split))
    for epoch in (1, 2):
        facts.append(fact(0, "loss", 1 / epoch, "bits", "BERT-tiny", split="train", epoch=epoch))
        case = {"split": "validation", "epoch": epoch}
        facts.append(fact(0, "accuracy", accuracy, "share", "BERT-tiny", **case))
    facts += [answers(0, "BERT-tiny", accuracy, split) for split in ("validation", "test")]
    facts.append(answers(0, "BERT-tiny", accuracy, "padded"))
    facts.append(answers(0, "BERT-tiny, no mask", unmasked, "padded"))
    spec = {"epochs": 2, "batch_size": 32, "max_length": 128, "least_accuracy": 0.8}
    return record("base_model", spec, facts=facts)


def loops(gain: float = 2.0, of_the_loop: float = 1.2, accuracy: float = 0.8) -> Row:
    """The own loop's speed-up over Trainer and over Trainer grouped by length, and its accuracy,
    where Trainer's is 0.8.
    """
    times = {
        "own loop": 0.01,
        "own loop again": 0.01,
        "Trainer": 0.01 * gain,
        "Trainer, grouped by length": 0.01 * of_the_loop,
    }
    samples, facts = [], []
    for process in range(PROCESSES):
        facts.append(fact(process, "reviews", 256, "count", "own loop", split="train"))
        for arm, seconds in times.items():
            samples.append(sample(process, "steady", arm, [seconds]))
            facts.append(fact(process, "positions a token", 1.1, "ratio", arm))
            share = accuracy if arm.startswith("own") else 0.8
            facts.append(answers(process, arm, share, "validation"))
    return record("loops", {"batch_size": 32}, samples=samples, facts=facts)


def lora(
    parameters: int = 50,
    memory: int = 50,
    seconds: float = 0.01,
    accuracy: dict[str, float] | None = None,
    disagree: bool = False,
    merged: bool = True,
    operators: int = 100,
    not_zero: int = 0,
    start: str = "words",
) -> Row:
    """LoRA's parameters, memory and seconds a review, where SFT's are 1000, 100 and 0.02;
    accuracies by arm.

    If the seeds disagree, SFT is much less accurate with the first one.
    """
    shares = {
        "untrained": 0.5,
        "SFT": 0.7,
        "LoRA": 0.6,
        "SFT, then LoRA": 0.8,
        "SFT, then SFT": 0.8,
        "SFT, biases dropped": 0.6,
        "SFT, MASE's adapters inserted": 0.5,
    } | (accuracy or {})
    samples, facts, checks = [], [], []
    for process in range(2):
        for arm, share in shares.items():
            lower = 0.15 if disagree and arm == "SFT" and process == 0 else 0.0
            facts.append(answers(process, arm, share - lower, "test"))
        for split in ("train", "test"):
            facts.append(fact(process, "reviews", REVIEWS, "count", "SFT", split=split))
        row = {"process": process, "arm": "LoRA, merged", "reference": "LoRA, unmerged", "case": {}}
        checks.append({**row, "error": 1e-7, "tolerance": 1e-4, "passed": merged})
        for arm, count in (("SFT", 100), ("LoRA, unmerged", 150), ("LoRA, merged", operators)):
            facts.append(fact(process, "operators", count, "count", arm))
            facts.append(fact(process, "same operators", int(count == 100), "count", arm))
    for process in range(PROCESSES):
        row = {"process": process, "arm": "LoRA", "reference": "SFT", "case": {}}
        checks.append({**row, "error": 1e-5, "tolerance": 1e-4, "passed": True})
        for arm, time in (("SFT", 0.02), ("SFT again", 0.02), ("LoRA", seconds)):
            samples.append(sample(process, "steady", arm, [time * BATCH]))
    facts.append(fact(0, "weights of B", 40, "count", "LoRA"))
    facts.append(fact(0, "weights of B not zero", not_zero, "count", "LoRA"))
    for arm, trained, peak in (("SFT", 1000, 100), ("LoRA", parameters, memory)):
        facts.append(fact(0, "trained parameters", trained, "count", arm))
        facts.append(fact(0, "parameters", 2000, "count", arm))
        facts.append(fact(0, "peak memory", peak, "bytes", arm))
    spec = {
        "start": start,
        "layers": 2,
        "reviews": 100,
        "rank": 6,
        "max_length": 128,
        "batch_size": BATCH,
        "sft_learning_rate": 6e-4,
        "lora_learning_rate": 5e-3,
    }
    rows = {"samples": samples, "facts": facts, "checks": checks}
    return record("lora", spec, **rows)
