"""SFT and LoRA: the model from which both start, and how each trains it."""

import copy
from dataclasses import dataclass
from pathlib import Path

import peft

from labs.experiments.lora import sizes
from labs.experiments.lora.adapters import with_adapters
from labs.experiments.lora.names import EMBEDDINGS, ENCODER
from labs.models.classifiers import MeanPooled, on_encoder
from labs.models.optimization import Plan
from labs.models.words import on_words


@dataclass(frozen=True, kw_only=True)
class Ways(sizes.Ways):
    """Where the models start (see ``start_model``), their layers, and how both ways train them.

    Each trains one epoch.
    """

    max_length: int

    @property
    def sft(self) -> Plan:
        return Plan(1, self.sft_learning_rate, self.batch_size)

    @property
    def lora(self) -> Plan:
        return Plan(1, self.lora_learning_rate, self.batch_size)

    def start_model(self, encoder: Path, seed: int) -> MeanPooled:
        """Return the classifier that both ways train, its embeddings frozen, its head random.

        It is the first layers of the encoder, or layers of BERT-tiny's sizes, random but for the
        encoder's words.
        """
        model = {ENCODER: on_encoder, EMBEDDINGS: on_words}[self.init](encoder, self.layers, seed)
        model.encoder.embeddings.requires_grad_(False)
        return model

    def adapted(self, model: MeanPooled, seed: int) -> peft.PeftModel:
        """Return a copy of a model with LoRA's adapters."""
        return with_adapters(copy.deepcopy(model), seed, self.rank, self.alpha, self.dropout)
