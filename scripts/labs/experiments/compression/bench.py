"""What the compression experiments share: reviews, fine-tuning, evaluation, and choosing.

Models are chosen on the validation split.  The test split is used only for chosen models, once
each, at the end.
"""

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
from labs.experiments.compression.curves import Observe, follow
from labs.jobs.arguments import arguments_for
from labs.models import checkpoints, classifiers
from labs.models.evaluation import answers, predict, predict_from_first
from labs.models.first_tokens import first_tokens_alone
from labs.models.optimization import Plan
from labs.models.training import seed_of, train
from labs.records.names.studies import RATES
from labs.records.observations import Observations
from labs.records.packed import unpack
from labs.records.rows import Case
from labs.setup.quantities import Limit
from labs.studies import rates

TOLERATED_LOSS = 0.01
"""A cheaper model is chosen if it loses at most this accuracy against the best."""


@dataclass(frozen=True)
class Sizes:
    """Tokens per review, and reviews for evaluation and fine-tuning."""

    max_length: int
    held_out: Limit
    reviews: Limit = 0


@dataclass
class Bench:
    """Fine-tunes and evaluates compressed models, for one replicate of an experiment.

    All replicates are evaluated on the same reviews; each fine-tunes on its own subset, in its own
    order, by a seed that the one given decides.  Points of curves are kept in the folder
    ``studies``, where later jobs find them.  ``output`` is the record's path; checkpoints are
    written beside it.
    """

    tokens: Path
    sizes: Sizes
    seed: int
    device: str
    studies: Path
    output: Path
    replicate: int = 0

    def __post_init__(self) -> None:
        self.seed = seed_of(self.seed, self.replicate)
        self.validation = self._held_out("validation")

    @cached_property
    def reviews(self) -> Reviews:
        """The reviews that this replicate fine-tunes on."""
        sizes = self.sizes
        return load(self.tokens, "train", sizes.max_length, sizes.reviews, self.seed)

    def _held_out(self, split: str) -> Reviews:
        return load(self.tokens, split, self.sizes.max_length, self.sizes.held_out)

    def identity(self, spec: Any, model: nn.Module) -> str:
        """Return a hash of what points depend on beside their case: model, reviews, and code."""
        settings = {
            "spec": spec,
            "sizes": asdict(self.sizes),
            "seed": self.seed,
            "device": self.device,
            "threads": torch.get_num_threads(),
            "tokens": hashlib.sha256(self.tokens.read_bytes()).hexdigest(),
        }
        return checkpoints.identity(settings, model.state_dict().values())

    def fine_tune(self, model: nn.Module, plan: Plan, name: str) -> float:
        """Train a model in place; return its mean loss over the last epoch, in bits per review.

        The checkpoint stays, so that repeating the same training costs nothing.  The name tells
        the checkpoints of different trainings apart.
        """
        checkpoint = self.output.with_suffix(f".{name}.checkpoint")
        with first_tokens_alone(model):
            history = train(
                model, self.reviews, plan, self.seed, self.device, checkpoint, name=name
            )
        return float(history[-1]["loss"] / math.log(2))

    def judge(
        self,
        seen: Observations,
        model: nn.Module,
        arm: str,
        case: Case,
        split: str = "validation",
        *,
        whole: bool = False,
    ) -> None:
        """Record which reviews of a held-out split a model classifies correctly.

        A ``whole`` model computes all tokens in all layers; see ``predict_from_first``.
        """
        reviews = self.validation if split == "validation" else self._held_out(split)
        logits = (predict if whole else predict_from_first)(model, reviews, self.device)
        seen.fact("correct", answers(logits, reviews), "text", arm, split=split, **case)

    def choose_rate(
        self,
        seen: Observations,
        learning_rates: Sequence[float],
        train: Callable[[float], nn.Module],
        identity: str,
    ) -> float:
        """Train a point at each of the rates; return the one that is best on validation."""

        def observe(point: Observations, case: Case) -> None:
            self.judge(point, train(case["learning_rate"]), RATES, case)

        cases = [{"learning_rate": rate} for rate in learning_rates]
        follow(seen, cases, observe, self.studies, f"{identity}, {RATES}")
        return rates.choose(seen)

    def choose(
        self, seen: Observations, candidates: Sequence[Case], observe: Observe, identity: str
    ) -> Case:
        """Observe the first candidate within TOLERATED_LOSS of the best accuracy; return it.

        Candidates are points of a curve that was followed, cheapest first.
        """
        accuracies = [_accuracy(seen, case) for case in candidates]
        enough = max(accuracies) - TOLERATED_LOSS
        chosen = candidates[[accuracy >= enough for accuracy in accuracies].index(True)]
        follow(seen, [chosen], observe, self.studies, f"{identity}, chosen")
        return chosen


def _accuracy(seen: Observations, case: Case) -> float:
    """Return the share of validation reviews that were classified correctly at a point."""
    packed = next(
        fact["value"]
        for fact in seen.rows["facts"]
        if fact["name"] == "correct" and case.items() <= fact["case"].items()
    )
    return float(unpack(packed).mean())


def inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the bench of a replicate, and the base model."""
    bench = Bench(**arguments_for(arguments, Bench), sizes=Sizes(**arguments_for(arguments, Sizes)))
    return {"bench": bench, "base": classifiers.load(arguments.model)}


def clean(arguments: argparse.Namespace, inputs: dict[str, Any]) -> None:
    """Delete the checkpoints beside the record, which only a restart needs."""
    output = arguments.output
    for path in output.parent.glob(f"{output.stem}.*.checkpoint"):
        path.unlink()


FILES = ("model", "tokens", "studies")
"""What every job on the base model reads."""
