"""Arguments that the programs of the search share, and the bench that they describe."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.search.bench import Bench, Sizes, Sources
from labs.experiments.search.space import grid
from labs.jobs.arguments import (
    add_held_out_arguments,
    add_record_arguments,
    add_tokens_argument,
    add_training_arguments,
    at_least,
    limit,
)
from labs.models.optimization import Plan
from labs.records.names.search import REPLACED, SCRATCH, WORDS
from labs.records.names.studies import Space


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what decides how architectures are trained and judged, and which there are."""
    parser.add_argument(
        "--layers", type=at_least(1), nargs="+", required=True, help="numbers of layers of the grid"
    )
    parser.add_argument(
        "--replaced",
        choices=REPLACED,
        nargs="+",
        required=True,
        help="square layers of the attention that may be the identity",
    )
    add_tokens_argument(parser)
    parser.add_argument("--encoder", type=Path, required=True, help="a folder: model.safetensors")
    parser.add_argument(
        "--start",
        choices=[WORDS, SCRATCH],
        required=True,
        help="with the encoder's word embeddings, or from scratch",
    )
    add_held_out_arguments(parser, "the validation and of the test split")
    add_training_arguments(parser)
    parser.add_argument("--epochs", type=at_least(1), required=True)
    parser.add_argument("--learning-rate", type=float, required=True, help="its highest value")
    parser.add_argument(
        "--studies", type=Path, required=True, help="folder of the journals and evaluations"
    )
    add_record_arguments(parser)


def space_of(arguments: argparse.Namespace) -> Space:
    """Return the grid."""
    return grid(arguments.layers, arguments.replaced)


def bench_of(arguments: argparse.Namespace, replicate: int) -> Bench:
    """Return the bench of one replicate."""
    sizes = Sizes(
        arguments.max_length,
        limit(arguments.reviews),
        limit(arguments.held_out),
        arguments.start,
        Plan(arguments.epochs, arguments.learning_rate, arguments.batch_size),
    )
    sources = Sources(arguments.tokens, arguments.encoder)
    return Bench(sources, sizes, arguments.seed, replicate, arguments.device, arguments.studies)
