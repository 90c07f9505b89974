"""Values and tables of pruned models: accuracy by sparsity, by what is pruned and how."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import Case, Points, chosen, described
from labs.analysis.values import Values
from labs.experiments.compression.pruning import names
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import MASK

ANALYSIS = Analysis("pruning")

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


UNPRUNED = point(names.L1, 0.0, 0)


def state(epochs: float) -> str:
    """Return "trained" or "untrained", by the epochs of training after pruning."""
    return TRAINED if epochs else UNTRAINED


def part(sparsity: float, epochs: float) -> str:
    """Return sparsity and training as part of a name: "trained.s50"."""
    return f"{state(epochs)}.s{100 * sparsity:.0f}"


def name_of(case: Case) -> str:
    """Return the name of a point's value, such as pruning.l1.trained.s50."""
    return f"pruning.{case['curve']}.{part(case['sparsity'], case['epochs'])}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    """Return every number about pruned models that the report may quote, by name.

    Each point has its accuracy, its ``loss`` against the unpruned model, its lead over its rival
    (``ahead``), and what training ``recovered``.
    """
    points, quoted = Points(record, split="validation"), {}
    for case in points.cases(KEYS):
        name = name_of(case)
        quoted[name] = points.accuracy(case)
        quoted[f"{name}.sparsity"] = counted(case["sparsity"], "share")
        quoted[f"{name}.loss"] = points.gain(UNPRUNED, case)
        if case["epochs"]:
            quoted[f"{name}.recovered"] = points.gain(case, {**case, "epochs": 0})
        rival = {**case, "curve": RIVALS.get(case["curve"])}
        if points.has(rival):
            quoted[f"{name}.ahead"] = points.gain(case, rival)
    facts = rows(record, "facts")
    zeros = matching(facts, name="zero", sparsity=0, epochs=0)
    quoted["pruning.natural_zeros"] = counted(zeros["value"].mean(), "share")
    achieved = matching(facts, name="pruned")
    misses = (achieved["value"] - achieved["sparsity"]).abs()
    of_weights = ~achieved["curve"].str.contains("activations")
    quoted["pruning.largest_miss"] = counted(misses[of_weights].max(), "share")
    seeds, reviews = points.answers(UNPRUNED).shape
    quoted["pruning.held_out"] = counted(reviews, "count")
    quoted["pruning.seeds"] = counted(seeds, "count")
    last_mask = facts[MASK].max() if MASK in facts else 0
    quoted["pruning.masks"] = counted(1 + last_mask, "count")
    tested = Points(record, split="test")
    for curve in (names.L1, names.RANDOM):
        quoted[f"pruning.{curve}.tested"] = tested.accuracy({"curve": curve})
    return quoted


@ANALYSIS.old_table_of_values("pruning_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per point: sparsity, requested and achieved; share of zeros; accuracy."""
    facts = {"pruned": "pruned", "zero": "zero"}
    table = described(record, KEYS, facts, lambda case: values[name_of(case)])
    return _labelled(table, record)


@ANALYSIS.table("pruning_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per point and replicate: its validation accuracy."""
    return _labelled(Points(record, split="validation").replicates(KEYS), record)


@ANALYSIS.table("pruning_chosen")
def chosen_table(record: Record) -> pd.DataFrame:
    """Return one row per curve and replicate: the chosen sparsity, its accuracy on both splits."""
    return _labelled(chosen(record, KEYS), record)


def _labelled(table: pd.DataFrame, record: Record) -> pd.DataFrame:
    """Return a table of points with device and words for curve and training, by curve."""

    def rank(column: pd.Series) -> pd.Series:
        return column.map(list(names.CURVES).index) if column.name == "curve" else column

    words = {"way": table["curve"].map(names.CURVES), "training": table["epochs"].map(state)}
    table = table.assign(device=record["device"], **words)
    return table.sort_values(KEYS, key=rank, ignore_index=True)
