"""Values and tables of pruned models: accuracy by sparsity, by what is pruned and how."""

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, matching, rows
from labs.analysis.points import Case, Points, chosen, described
from labs.experiments.compression.pruning import names
from labs.records.record import Record

ANALYSIS = Analysis("pruning")

SPOKEN = {
    names.L1: "L1, by layer",
    names.RANDOM: "random",
    names.L1_GLOBAL: "L1, over all layers",
    names.L1_STALE: "L1, stale masks (MASE)",
    names.L1_ACTIVATIONS: "L1, activations",
    names.RANDOM_ACTIVATIONS: "random, activations",
    names.L1_BOTH: "L1, weights and activations",
    names.RANDOM_BOTH: "random, weights and activations",
}
RIVALS = {
    names.L1: names.RANDOM,
    names.L1_GLOBAL: names.L1,
    names.L1_STALE: names.L1,
    names.L1_ACTIVATIONS: names.RANDOM_ACTIVATIONS,
    names.L1_BOTH: names.RANDOM_BOTH,
}
"""The curve that each curve is compared with, at equal sparsity and training."""

TRAINED, UNTRAINED = "trained", "untrained"
KEYS = ["curve", "sparsity", "epochs"]


def point(curve: str, sparsity: float, epochs: float) -> Case:
    """Return the case that identifies a point."""
    return {"curve": curve, "sparsity": sparsity, "epochs": epochs}


def state(epochs: float) -> str:
    """Return "trained" or "untrained", by the epochs of training after pruning."""
    return TRAINED if epochs else UNTRAINED


def percent(sparsity: float) -> str:
    """Return a sparsity as part of a value's name: 0.5 is s50."""
    return f"s{100 * sparsity:.0f}"


def name_of(curve: str, sparsity: float, epochs: float) -> str:
    """Return the name of a point's value, such as pruning.l1.trained.s50."""
    return f"pruning.{curve}.{state(epochs)}.{percent(sparsity)}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about pruned models that the report may quote, by name.

    Each point has its accuracy, its ``loss`` against the unpruned model, its lead over its rival
    (``ahead``), and what training ``recovered``.
    """
    points, found = Points(record, split="validation"), {}
    whole = point(names.L1, 0.0, 0)
    for curve, sparsity, epochs in _points(record):
        name, case = name_of(curve, sparsity, epochs), point(curve, sparsity, epochs)
        found[name] = points.accuracy(case)
        found[f"{name}.sparsity"] = exactly(sparsity, "share")
        found[f"{name}.loss"] = points.gain(whole, case)
        if epochs:
            found[f"{name}.recovered"] = points.gain(case, point(curve, sparsity, 0))
        if curve in RIVALS:
            rival = point(RIVALS[curve], sparsity, epochs)
            if points.has(rival):
                found[f"{name}.ahead"] = points.gain(case, rival)
    facts = rows(record, "facts")
    zeros = matching(facts, name="zero", sparsity=0, epochs=0)
    found["pruning.natural_zeros"] = exactly(zeros["value"].mean(), "share")
    achieved = matching(facts, name="pruned")
    misses = (achieved["value"] - achieved["sparsity"]).abs()
    weights = ~achieved["curve"].str.contains("activations")
    found["pruning.largest_miss"] = exactly(misses[weights].max(), "share")
    found["pruning.held_out"] = exactly(points.answers(whole).shape[1], "count")
    found["pruning.seeds"] = exactly(len(points.answers(whole)), "count")
    others = facts[names.MASK].max() if names.MASK in facts else 0
    found["pruning.masks"] = exactly(1 + others, "count")
    tested = Points(record, split="test")
    for curve in (names.L1, names.RANDOM):
        found[f"pruning.{curve}.tested"] = tested.accuracy({"curve": curve})
    return found


@ANALYSIS.table("pruning_points")
def point_table(record: Record) -> pd.DataFrame:
    """Return one row per point: sparsity, requested and achieved; share of zeros; accuracy."""
    return _spoken(described(record, KEYS, {"pruned": "pruned", "zero": "zero"}), record)


@ANALYSIS.table("pruning_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per point and replicate: its validation accuracy."""
    return _spoken(Points(record, split="validation").replicates(KEYS), record)


@ANALYSIS.table("pruning_chosen")
def chosen_table(record: Record) -> pd.DataFrame:
    """Return one row per curve and replicate: the chosen sparsity, its accuracy on both splits."""
    return _spoken(chosen(record, KEYS), record)


def _points(record: Record) -> list[tuple[str, float, float]]:
    """Return curve, sparsity and epochs of every point, in ascending order."""
    found: list[Any] = Points(record, split="validation").table(KEYS)[KEYS].to_dict("records")
    return sorted((row["curve"], row["sparsity"], row["epochs"]) for row in found)


def _spoken(table: pd.DataFrame, record: Record) -> pd.DataFrame:
    """Return a table of points with device and words for curve and training, by curve."""
    order = table["curve"].map(names.CURVES.index)
    words = {"way": table["curve"].map(SPOKEN), "training": table["epochs"].map(state)}
    table = table.assign(device=record["device"], order=order, **words)
    return table.sort_values(["order", "sparsity", "epochs"], ignore_index=True).drop(
        columns="order"
    )
