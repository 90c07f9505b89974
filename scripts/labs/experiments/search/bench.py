"""Where architectures are trained and judged: on the same reviews, each with its training seed.

Validation steers and chooses.  The test split is read for the chosen architecture, and for the one
that it is compared with, once, at the end.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from transformers import BertForSequenceClassification

from labs.data.reviews import Reviews, load
from labs.models.architectures import WEIGHTS, build, start_from, word_embeddings
from labs.models.evaluation import correct, predict
from labs.models.optimization import Plan
from labs.models.training import train
from labs.records.answers import pack, unpack
from labs.records.names.search import WORDS, Architecture, described
from labs.studies.evaluations import Evaluation, Evaluations, key
from labs.studies.identity import code, content

PACKAGES = ("torch", "transformers", "optuna")

SEEDS_APART = 1000
"""Between the seeds of replicates: a training counts on from its seed with every epoch."""


@dataclass(frozen=True)
class Sizes:
    """How an architecture is trained, and on how many reviews it is judged (None: all of a split).

    ``start`` is how its weights start.
    """

    max_length: int
    reviews: int | None
    held_out: int | None
    start: str
    plan: Plan


@dataclass(frozen=True)
class Sources:
    """The files of the reviews, and the folder of the encoder whose words models may start with."""

    tokens: Path
    encoder: Path


class Bench:
    """Trains and judges architectures with one training seed; what it has judged is kept.

    ``folder`` is where: no output of a workflow, so that it outlives a change of the experiment.
    """

    def __init__(
        self, sources: Sources, sizes: Sizes, seed: int, replicate: int, device: str, folder: Path
    ) -> None:
        self.seed = seed + SEEDS_APART * replicate
        self.sizes, self.device, self.folder = sizes, device, folder
        self._sources = sources
        self._evaluations = Evaluations(folder / "evaluations")

    def identity(self) -> dict[str, Any]:
        """Return everything that decides an evaluation, but for the architecture."""
        return {
            "sizes": asdict(self.sizes),
            "seed": self.seed,
            "device": self.device,
            # Sums of floats depend on how many threads add them.
            "threads": torch.get_num_threads(),
            "data": self._data,
            "code": code(__file__),
            "packages": {name: version(name) for name in PACKAGES},
        }

    def evaluate(self, architecture: Architecture) -> Evaluation:
        """Return what a trained architecture is worth on validation.

        ``correct`` are its right and wrong answers, packed; ``loss`` is in bits a review;
        ``parameters`` counts its weights; ``core_seconds`` is what it cost.
        """
        decided_by = self.identity() | {"architecture": dict(architecture)}
        return self._evaluations.get(decided_by, lambda: self._evaluate(architecture))

    def accuracy(self, architecture: Architecture) -> float:
        """Return the share of validation reviews that a trained architecture judges right."""
        return float(unpack(self.evaluate(architecture)["correct"]).mean())

    def train(self, architecture: Architecture) -> BertForSequenceClassification:
        """Return a trained model; a killed training goes on from its checkpoint."""
        model = build(architecture, self.seed)
        if self.sizes.start == WORDS:
            start_from(model, self._words)
        name = key(self.identity() | {"architecture": dict(architecture)})
        checkpoint = self.folder / f"{name}.safetensors"
        words = described(architecture)
        train(model, self._reviews, self.sizes.plan, self.seed, self.device, checkpoint, name=words)
        checkpoint.unlink(missing_ok=True)
        return model

    def answers(self, model: BertForSequenceClassification, split: str) -> str:
        """Return which reviews of a held-out split a model judges right, packed."""
        reviews = self._held_out(split)
        return pack(correct(predict(model, reviews, self.device), reviews).numpy())

    def _evaluate(self, architecture: Architecture) -> Evaluation:
        began = time.process_time()
        model = self.train(architecture)
        validation = self._validation
        logits = predict(model, validation, self.device)
        loss = F.cross_entropy(logits, validation.labels).item() / math.log(2)
        return {
            "correct": pack(correct(logits, validation).numpy()),
            "loss": loss,
            "parameters": sum(weight.numel() for weight in model.parameters()),
            "core_seconds": time.process_time() - began,
        }

    @cached_property
    def _reviews(self) -> Reviews:
        sizes = self.sizes
        return load(self._sources.tokens, "train", sizes.max_length, sizes.reviews, self.seed)

    @cached_property
    def _validation(self) -> Reviews:
        return self._held_out("validation")

    def _held_out(self, split: str) -> Reviews:
        return load(self._sources.tokens, split, self.sizes.max_length, self.sizes.held_out)

    @cached_property
    def _words(self) -> torch.Tensor:
        return word_embeddings(self._sources.encoder)

    @cached_property
    def _data(self) -> str:
        encoder = [self._sources.encoder / WEIGHTS] if self.sizes.start == WORDS else []
        return content((self._sources.tokens, *encoder))
