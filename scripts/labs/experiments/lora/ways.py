"""SFT and LoRA: the model from which both start, and how each trains it."""

from __future__ import annotations

import argparse
import copy
from dataclasses import dataclass
from pathlib import Path

import peft

from labs.experiments.lora.adapters import Adapters, with_adapters
from labs.jobs.arguments import add_tokens_argument, at_least
from labs.models.classifiers import MeanPooled, on_encoder
from labs.models.optimization import Plan
from labs.models.words import on_words
from labs.records.names.lora import ENCODER, WORDS


@dataclass(frozen=True)
class Ways:
    """Where the models start (see ``start_model``), their layers, and how both ways train them."""

    start: str
    layers: int
    max_length: int
    batch_size: int
    sft_learning_rate: float
    lora_learning_rate: float
    rank: int
    alpha: int
    dropout: float

    @property
    def sft(self) -> Plan:
        """Return the plan of full fine-tuning: one epoch."""
        return Plan(1, self.sft_learning_rate, self.batch_size)

    @property
    def lora(self) -> Plan:
        """Return the plan of LoRA: one epoch."""
        return Plan(1, self.lora_learning_rate, self.batch_size)

    def start_model(self, encoder: Path, seed: int) -> MeanPooled:
        """Return the classifier that both ways train, its embeddings frozen, its head random.

        It is the first layers of the encoder, or layers of BERT-tiny's sizes, random but for the
        encoder's words.
        """
        model = {ENCODER: on_encoder, WORDS: on_words}[self.start](encoder, self.layers, seed)
        model.encoder.embeddings.requires_grad_(False)
        return model

    def adapted(self, model: MeanPooled, seed: int) -> peft.PeftModel:
        """Return a copy of a model with LoRA's adapters."""
        adapters = Adapters(self.rank, self.alpha, self.dropout)
        return with_adapters(copy.deepcopy(model), adapters, seed)


def add_ways_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say where models start and how they are trained."""
    parser.add_argument(
        "--encoder", type=Path, required=True, help="folder with config.json, model.safetensors"
    )
    add_tokens_argument(parser)
    parser.add_argument(
        "--start",
        choices=[ENCODER, WORDS],
        required=True,
        help="the encoder itself, or a random BERT-tiny with its word embeddings",
    )
    parser.add_argument("--layers", type=at_least(1), required=True, help="of the model")
    parser.add_argument(
        "--max-length", type=at_least(2), required=True, help="maximum tokens per review"
    )
    parser.add_argument("--batch-size", type=at_least(1), required=True, help="reviews per batch")
    parser.add_argument("--sft-learning-rate", type=float, required=True, help="its peak value")
    parser.add_argument("--lora-learning-rate", type=float, required=True, help="its peak value")
    parser.add_argument("--rank", type=at_least(1), required=True, help="of the adapters")
    parser.add_argument("--alpha", type=int, required=True, help="adapters scale by alpha / rank")
    parser.add_argument("--dropout", type=float, required=True, help="of the adapters' inputs")


def ways_of(arguments: argparse.Namespace) -> Ways:
    """Return what those arguments say."""
    return Ways(**{name: vars(arguments)[name] for name in Ways.__dataclass_fields__})
