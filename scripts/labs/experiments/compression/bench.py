"""What the compression experiments share: the reviews, fine-tuning, judging, and choosing.

Validation chooses.  The test split is read for chosen models alone, once each, at the end.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import nn

from labs.data.reviews import Reviews, load
from labs.experiments.compression.curves import Case
from labs.jobs import run as jobs
from labs.jobs.arguments import (
    add_held_out_arguments,
    add_record_arguments,
    add_tokens_argument,
    at_least,
    limit,
    number_or_all,
)
from labs.models import checkpoints
from labs.models.evaluation import correct, predict
from labs.models.optimization import Plan
from labs.models.training import train
from labs.records.answers import pack, unpack
from labs.records.observations import Observations

TOLERATED_LOSS = 0.01
"""How much less accurate than the best a cheaper model may be and still be chosen."""

SEEDS_APART = 1000
"""Between the seeds of replicates: a training counts on from its seed with every epoch."""


@dataclass(frozen=True)
class Sizes:
    """Tokens kept of a review, and reviews fine-tuned on and judged by (None: all of a split)."""

    max_length: int
    reviews: int | None
    held_out: int | None


class Bench:
    """Where compressed models are fine-tuned and judged, by one replicate of an experiment.

    All replicates are judged on the same reviews; each fine-tunes on a subset of its own, in its
    own order.  ``output`` is the record to come: checkpoints stand beside it.
    """

    def __init__(
        self, tokens: Path, sizes: Sizes, seed: int, replicate: int, device: str, output: Path
    ) -> None:
        self.sizes, self.replicate, self.device, self.output = sizes, replicate, device, output
        self.seed = seed + SEEDS_APART * replicate
        self._tokens = tokens
        self.validation = self._held_out("validation")

    @cached_property
    def reviews(self) -> Reviews:
        """Return the reviews that this replicate fine-tunes on."""
        sizes = self.sizes
        return load(self._tokens, "train", sizes.max_length, sizes.reviews, self.seed)

    @property
    def partial(self) -> Path:
        """Return the file of the points that are done."""
        return self.output.with_suffix(".partial.json")

    def identity(self, spec: Any, model: nn.Module) -> str:
        """Return what a curve's points depend on: settings, the model, the reviews, and code."""
        settings = {
            "spec": spec,
            "sizes": asdict(self.sizes),
            "seed": self.seed,
            "device": self.device,
            "threads": torch.get_num_threads(),
            "tokens": hashlib.sha256(self._tokens.read_bytes()).hexdigest(),
        }
        return checkpoints.identity(settings, model.state_dict().values())

    def fine_tune(self, model: nn.Module, plan: Plan, name: str) -> float:
        """Train a model in place; return its mean loss over the last epoch, in bits a review.

        The checkpoint stays, so that the same training, asked for again, is there at once.  The
        name tells trainings apart that differ in more than their weights and plans.
        """
        checkpoint = self.output.with_suffix(f".{name}.safetensors")
        history = train(model, self.reviews, plan, self.seed, self.device, checkpoint, name=name)
        loss: float = history[-1]["loss"] / math.log(2)
        return loss

    def judge(
        self, seen: Observations, model: nn.Module, arm: str, case: Case, split: str = "validation"
    ) -> None:
        """Keep which reviews of a held-out split a model judges right."""
        reviews = self.validation if split == "validation" else self._held_out(split)
        answers = correct(predict(model, reviews, self.device), reviews)
        seen.fact("correct", pack(answers.numpy()), "text", arm, split=split, **case)

    def clean(self) -> None:
        """Delete what only a restart needs: the points and the checkpoints beside the record."""
        self.partial.unlink(missing_ok=True)
        for path in self.output.parent.glob(f"{self.output.stem}.*.safetensors"):
            path.unlink()

    def _held_out(self, split: str) -> Reviews:
        sizes = self.sizes
        return load(self._tokens, split, sizes.max_length, sizes.held_out)


def choose(candidates: Sequence[Case], accuracy: Callable[[Case], float]) -> Case:
    """Return the first of the candidates, which come cheapest first, that is nearly the best."""
    best = max(map(accuracy, candidates))
    return next(case for case in candidates if accuracy(case) >= best - TOLERATED_LOSS)


def accuracy(seen: Observations, case: Case) -> float:
    """Return the share of validation reviews that were judged right at a point."""
    packed = next(
        fact["value"]
        for fact in seen.facts
        if fact["name"] == "correct" and case.items() <= fact["case"].items()
    )
    return float(unpack(packed).mean())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every compression program needs."""
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    add_tokens_argument(parser)
    add_held_out_arguments(parser, "the validation and of the test split")
    add_record_arguments(parser)


def add_training_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every compression program needs that trains."""
    add_arguments(parser)
    parser.add_argument(
        "--reviews", type=number_or_all, required=True, help="reviews fine-tuned on, or 'all'"
    )
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )


def run(
    experiment: str, arguments: argparse.Namespace, observe: Callable[[Bench], Observations]
) -> None:
    """Observe one replicate, write its record, and delete what only a restart would need."""
    asked = {"reviews": 0, "replicate": 0, **vars(arguments)}
    bench = Bench(
        arguments.tokens,
        Sizes(arguments.max_length, limit(asked["reviews"]), limit(arguments.held_out)),
        arguments.seed,
        asked["replicate"],
        arguments.device,
        arguments.output,
    )
    jobs.run(
        experiment,
        arguments,
        lambda threads: jobs.replicate(lambda _: observe(bench), [bench.replicate], threads),
    )
    bench.clean()
