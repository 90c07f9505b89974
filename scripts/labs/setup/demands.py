"""What the sizes of a preset ask of a machine: memory that it must have, and time that passes.

All are the least that the sizes allow: the largest tensors that exist side by side; the samples of
timing jobs, none of which is shorter than SAMPLE_SECONDS; and the matrix products of training one
layer, at the rate that no processor exceeds. A run takes more of each.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from labs.records.names.timing import SAMPLE_SECONDS
from labs.setup.config import ConfigError
from labs.setup.faults import dotted, shown

Sizes = Mapping[str, Any]

FLOAT32, FLOAT64 = 4, 8
"""Bytes of a number; attention's reference is computed in float64."""

TRAINED = 4 * FLOAT32
"""Bytes of a parameter in training: itself, its gradient, and two moments of AdamW."""

EMBEDDED = 30522 + 512 + 2
"""Rows of BERT's embeddings: words, places, types."""

LAYER = 12
"""Parameters of a BERT layer, in squares of its hidden size."""

HIDDEN, INTERMEDIATE = 128, 512
"""Sizes of BERT-tiny."""

OPERATIONS = 6
"""Of a parameter for a token in training: a multiplication and an addition, once forward and twice
back."""

CORE = 2 * 2 * 16 * 6e9
"""Operations in float32 a second that a core does at most: two fused multiply-adds of 16 numbers in
each of six billion cycles."""

TOKENS = 128
"""Of a review at least, but for few, where a preset does not cut it shorter."""

ALL = 20_000
"""Reviews to train on, about, where a preset says all."""

ARMS = 3
"""Arms of a comparison at least: a baseline, the same again, and what is held to it."""

DAY = 24 * 3600.0


class Need(NamedTuple):
    """The least bytes of what the setting at ``path`` decides, and what they are."""

    path: tuple[str, ...]
    what: str
    bytes: float


def check_demands(preset: str, sizes: Sizes, memory: float) -> None:
    """Raise ConfigError for the largest need of memory that a machine of so many bytes cannot meet.

    ``sizes`` are those of the preset. A whole run may need more: memory that suffices here is no
    promise.
    """
    largest = max(needs(sizes), key=lambda need: need.bytes)
    if largest.bytes > memory:
        value: Any = sizes
        for key in largest.path:
            value = value[key]
        raise ConfigError(
            f"config: {dotted(('presets', preset, *largest.path))} is {shown(value)}, for which "
            f"{largest.what} take at least {_gigabytes(largest.bytes)}; this machine has "
            f"{_gigabytes(memory)}: choose a smaller size"
        )


def long(sizes: Sizes, cores: int) -> list[str]:
    """Return a line about each kind of job that takes more than a day on so many cores."""
    timing = f"processes {sizes['processes']} and rounds {sizes['rounds']}: the timing jobs take"
    found = {timing: timing_seconds(sizes)}
    for section, reviews in trained(sizes).items():
        length = min(sizes[section].get("max-length", sizes["max-length"]), TOKENS)
        work = OPERATIONS * LAYER * HIDDEN**2 * length * reviews
        found[f"{section}: its trainings take"] = work / (CORE * cores)
    return [
        f"{what} at least {seconds / DAY:,.0f} days on a machine like this"
        for what, seconds in found.items()
        if seconds > DAY
    ]


def machine_memory() -> float:
    """Return the bytes of this machine's memory."""
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


def needs(sizes: Sizes) -> Iterator[Need]:
    """Yield the least memory of each experiment whose sizes may be large."""
    fusion, mxint8 = sizes["fusion"], sizes["mxint8"]
    batch, heads, length, _ = fusion["shape"]
    scores = "the scores of attention and their softmax, in float64,"
    yield Need(("fusion", "shape"), scores, 2 * FLOAT64 * batch * heads * length**2)
    swept = fusion["sweep-batch"] * heads * max(fusion["lengths"]) ** 2
    yield Need(("fusion", "lengths"), scores, 2 * FLOAT64 * swept)
    rows, columns, outputs = fusion["linear-shape"]
    yield Need(
        ("fusion", "linear-shape"),
        "input, weight and output",
        FLOAT32 * (rows * columns + columns * outputs + rows * outputs),
    )
    yield Need(
        ("mxint8", "linear", "shape"), "the weights", FLOAT32 * math.prod(mxint8["linear"]["shape"])
    )
    # A mantissa of one byte and a decoded number of two.
    yield Need(
        ("mxint8", "kernels", "elements"),
        "mantissas and results",
        3 * mxint8["kernels"]["elements"],
    )
    tiny = sizes["compilation"]["bert-tiny"]
    yield Need(
        ("compilation", "bert-tiny", "batch-size"),
        "a layer's outputs",
        FLOAT32 * tiny["batch-size"] * tiny["sequence-length"] * INTERMEDIATE,
    )
    speed = sizes["compression"]["speed"]
    hidden = max(speed["hidden-sizes"])
    yield Need(
        ("compression", "speed", "hidden-sizes"),
        "a model's parameters, gradients and moments",
        TRAINED * (EMBEDDED * hidden + 2 * LAYER * hidden**2),
    )
    for experiment in ("base-model", "loops", "lora", "search", "precision"):
        batch = sizes[experiment]["batch-size"]
        length = sizes[experiment].get("max-length", sizes["max-length"])
        yield Need(
            (experiment, "batch-size"),
            "the outputs of a model's layers",
            FLOAT32 * batch * length * (INTERMEDIATE + HIDDEN),
        )


def trained(sizes: Sizes) -> dict[str, float]:
    """Return how many reviews each section trains on at least, each as often as it is read."""
    base, lora, search = sizes["base-model"], sizes["lora"], sizes["search"]
    compression, precision = sizes["compression"], sizes["precision"]
    epochs = len(compression["widths"]) + sum(compression["epochs"])
    found = {
        "base-model": base["epochs"],
        "lora": 2 * lora["seeds"],
        "compression": compression["seeds"] * epochs,
        "search": search["seeds"] * len(search["layers"]) * search["epochs"],
        "precision": precision["seeds"] * precision["trials"],
    }
    return {
        section: times * (ALL if sizes[section]["reviews"] == "all" else sizes[section]["reviews"])
        for section, times in found.items()
    }


def timing_seconds(sizes: Sizes) -> float:
    """Return the seconds of all samples of the timing jobs, if none is longer than the shortest."""
    fusion, mxint8, compilation = sizes["fusion"], sizes["mxint8"], sizes["compilation"]
    comparisons = (
        len(fusion["dtypes"]) * (1 + len(fusion["lengths"]))
        + len(fusion["linear-dtypes"])
        + len(compilation["bert-tiny"]["modes"])
        + len(mxint8["linear"]["batches"])
        + len(mxint8["kernels"]["group-sizes"])
        + len(sizes["compression"]["speed"]["hidden-sizes"])
    )
    samples = sizes["processes"] * sizes["rounds"] * comparisons * ARMS
    return float(samples * SAMPLE_SECONDS)


def _gigabytes(number: float) -> str:
    return f"{number / 1e9:,.1f} GB"
