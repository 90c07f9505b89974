"""Arguments that the programs of the search share, and the bench that they describe."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from labs.experiments.search.bench import Bench, Sizes, Sources
from labs.experiments.search.replay import Comparison
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
from labs.records.record import Record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how architectures of a grid are trained and judged, and which there are."""
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
    add_bench_arguments(parser)


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how architectures are trained and judged."""
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
        "--compressed-epochs", type=at_least(1), required=True, help="after compression"
    )
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )
    parser.add_argument(
        "--studies", type=Path, required=True, help="folder that keeps the evaluations"
    )
    add_record_arguments(parser)


def add_comparison_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how samplers are replayed."""
    parser.add_argument(
        "--sampler-seeds", type=at_least(2), required=True, help="replays of each sampler"
    )
    add_startup_argument(parser)


def add_startup_argument(parser: argparse.ArgumentParser) -> None:
    """Add when TPE begins to learn."""
    parser.add_argument(
        "--startup", type=at_least(1), required=True, help="trials of TPE drawn at random first"
    )


def add_parts_argument(parser: argparse.ArgumentParser) -> None:
    """Add the records that a winner is chosen from."""
    parser.add_argument(
        "--parts",
        type=Path,
        nargs="+",
        required=True,
        help="the records of search_architectures.py, one a training seed",
    )


def parts_of(arguments: argparse.Namespace) -> list[Record]:
    """Return the records that a winner is chosen from, and take them from the arguments.

    Files are no settings: a record's spec does not hold them.
    """
    return [json.loads(path.read_text()) for path in vars(arguments).pop("parts")]


def comparison_of(arguments: argparse.Namespace) -> Comparison:
    """Return how samplers are replayed."""
    return Comparison(arguments.sampler_seeds, arguments.startup)


def space_of(arguments: argparse.Namespace) -> Space:
    """Return the grid."""
    return grid(arguments.layers, arguments.replaced)


def bench_of(arguments: argparse.Namespace) -> Bench:
    """Return the bench of the replicate."""
    plan = Plan(arguments.epochs, arguments.learning_rate, arguments.batch_size)
    sizes = Sizes(
        arguments.max_length,
        limit(arguments.reviews),
        limit(arguments.held_out),
        arguments.start,
        plan,
        replace(plan, epochs=arguments.compressed_epochs),
    )
    sources = Sources(arguments.tokens, arguments.encoder)
    seed, replicate, device = arguments.seed, arguments.replicate, arguments.device
    return Bench(sources, sizes, seed, replicate, device, arguments.studies)
