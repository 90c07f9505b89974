"""Where architectures are trained and judged: on the same reviews, each with its training seed.

Validation steers and chooses.  The test split is read for the chosen architecture, and for the one
that it is compared with, once, at the end.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from transformers import BertForSequenceClassification

from labs.data.reviews import ALL, Reviews, load
from labs.experiments.search import names
from labs.experiments.search.building import build
from labs.experiments.search.compressing import compress, rounded_to_zero
from labs.experiments.search.names import Architecture, described
from labs.experiments.search.sizes import Bench as Sizes
from labs.models.evaluation import answers, loss, predict_from_first
from labs.models.first_tokens import first_tokens_alone
from labs.models.optimization import Plan
from labs.models.training import Entry, train
from labs.models.words import WEIGHTS, start_from, word_embeddings
from labs.records.packed import unpack
from labs.setup.quantities import Limit
from labs.studies.evaluations import Evaluation, Evaluations, key
from labs.studies.identity import code, content, surroundings

Model = BertForSequenceClassification

EARLY = (1 / 8, 1 / 4)
"""The part of a training whose losses may foretell how it ends."""


class Stage(NamedTuple):
    """A stage of OBJECTIVES: its model, which the next one changes, and how it was trained."""

    name: str
    model: Model
    history: list[Entry]


@dataclass(frozen=True)
class Bench:
    """Trains and judges architectures with one seed and rate; what it has judged is kept.

    Models may start with the words of the encoder, a folder. ``studies`` is where evaluations are
    kept: no output of a workflow, so that it outlives a change of the experiment.
    """

    learning_rate: float
    sizes: Sizes
    seed: int
    device: str
    tokens: Path
    encoder: Path
    studies: Path

    def identity(self) -> dict[str, Any]:
        """Return everything that decides an evaluation, but for the architecture."""
        return {
            "sizes": asdict(self.sizes),
            "learning rate": self.learning_rate,
            "seed": self.seed,
            "data": self._data,
            "code": code(__file__),
            **surroundings(self.device),
        }

    def evaluate(self, architecture: Architecture, last: str = names.OBJECTIVES[-1]) -> Evaluation:
        """Return what an architecture is worth on validation, by stage of OBJECTIVES to the last.

        Of each stage, ``correct`` are its right and wrong answers, packed; ``loss`` is in bits a
        review; ``core_seconds`` is what it cost. ``parameters`` counts its weights; ``early_loss``
        is ``early_loss`` of its training; ``zeros`` is the share of the linear layers' weights
        that rounding set to zero, before pruning.
        """
        decided_by = self.identity() | {"architecture": dict(architecture), "last": last}
        evaluations = Evaluations(self.studies / "evaluations")
        return evaluations.get(decided_by, lambda: self._evaluate(architecture, last))

    def accuracy(
        self,
        architecture: Architecture,
        objective: str = names.TRIAL,
        last: str = names.OBJECTIVES[-1],
    ) -> float:
        """Return the share of validation reviews that a model judges right after a stage."""
        return float(unpack(self.evaluate(architecture, last)[objective]["correct"]).mean())

    def stages(self, architecture: Architecture) -> Iterator[Stage]:
        """Yield the stages of an architecture in the order of OBJECTIVES.

        Killed trainings go on from their checkpoints, until ``forget``.
        """
        model = self.start(architecture)
        history = self.train(model, architecture, names.TRIAL, self.sizes.epochs)
        yield Stage(names.TRIAL, model, history)
        compress(model, self.seed)
        yield Stage(names.COMPRESSED, model, [])
        yield Stage(names.RETRAINED, model, self.train_again(model, architecture, names.RETRAINED))

    def start(self, architecture: Architecture) -> Model:
        """Return a model that has not been trained."""
        model = build(architecture, self.seed)
        if self.sizes.init == names.EMBEDDINGS:
            start_from(model.bert, self._words)
        return model

    def train(
        self,
        model: Model,
        architecture: Architecture,
        stage: str,
        epochs: int,
        later: int = 0,
        **options: Any,
    ) -> list[Entry]:
        """Train a model in place, with its own checkpoint for each stage; return its history.

        The order of the reviews is that of the epochs from ``later`` on.
        """
        with first_tokens_alone(model):
            return train(
                model,
                self._reviews,
                Plan(epochs, self.learning_rate, self.sizes.batch_size),
                self.seed + later,
                self.device,
                self._checkpoint(architecture, stage),
                name=f"{described(architecture)}, {stage}",
                **options,
            )

    def train_again(self, model: Model, architecture: Architecture, stage: str) -> list[Entry]:
        """Train a trained model for as long as is trained after compression."""
        epochs = self.sizes.compressed_epochs
        return self.train(model, architecture, stage, epochs, later=self.sizes.epochs)

    def forget(self, architecture: Architecture, *stages: str) -> None:
        """Delete the checkpoints of trainings; those of other stages may be another job's."""
        for stage in stages:
            self._checkpoint(architecture, stage).unlink(missing_ok=True)

    def answers(self, model: Model, split: str) -> str:
        """Return which reviews of a held-out split a model judges right, packed."""
        reviews = self.held_out(split)
        return answers(predict_from_first(model, reviews, self.device), reviews)

    def held_out(self, split: str, number: Limit = ALL) -> Reviews:
        """Return the reviews of a split on which models are judged, or so many of them at most."""
        limits = [limit for limit in (number, self.sizes.held_out) if limit != ALL]
        return load(self.tokens, split, self.sizes.max_length, min(limits, default=ALL))

    def _evaluate(self, architecture: Architecture, last: str) -> Evaluation:
        validation = self._validation
        evaluation: Evaluation = {}
        began = time.process_time()
        for stage, model, history in self.stages(architecture):
            logits = predict_from_first(model, validation, self.device)
            evaluation[stage] = {
                "correct": answers(logits, validation),
                "loss": loss(logits, validation),
                "core_seconds": time.process_time() - began,
            }
            if stage == names.TRIAL:
                evaluation["parameters"] = model.num_parameters()
                evaluation["early_loss"] = early_loss(history)
                evaluation["zeros"] = rounded_to_zero(model)
            if stage == last:
                break
            began = time.process_time()
        self.forget(architecture, *names.OBJECTIVES)
        return evaluation

    def _checkpoint(self, architecture: Architecture, stage: str) -> Path:
        name = key(self.identity() | {"architecture": dict(architecture), "stage": stage})
        return self.studies / f"{name}.checkpoint"

    @cached_property
    def _reviews(self) -> Reviews:
        return load(self.tokens, "train", self.sizes.max_length, self.sizes.reviews, self.seed)

    @cached_property
    def _validation(self) -> Reviews:
        return self.held_out("validation")

    @cached_property
    def _words(self) -> torch.Tensor:
        return word_embeddings(self.encoder)

    @cached_property
    def _data(self) -> str:
        encoder = [self.encoder / WEIGHTS] if self.sizes.init == names.EMBEDDINGS else []
        return content((self.tokens, *encoder))


def early_loss(history: Sequence[Entry]) -> float:
    """Return the mean loss, in bits a review, of the batches of the part EARLY of a training."""
    losses = [loss for entry in history for loss in entry["losses"]]
    first, last = (share * len(losses) for share in EARLY)
    return float(np.mean(losses[math.floor(first) : math.ceil(last)])) / math.log(2)
