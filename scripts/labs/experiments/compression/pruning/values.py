"""Values and tables of pruned models: accuracy by sparsity, by what is pruned and how."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import Points, chosen, described
from labs.analysis.rates import rate_table, rate_values
from labs.analysis.values import Tree, Values, joined
from labs.experiments.compression.points import by_point, share
from labs.experiments.compression.pruning import names
from labs.records.quantity import counted
from labs.records.record import Record
from labs.records.rows import MASK, Case

ANALYSIS = Analysis("pruning")
ANALYSIS.values(rate_values)
ANALYSIS.table("pruning_rates")(rate_table)

RIVALS = {
    names.L1: names.RANDOM,
    names.L1_GLOBAL: names.L1,
    names.L1_STALE: names.L1,
    names.L1_ACTIVATIONS: names.RANDOM_ACTIVATIONS,
    names.L1_BOTH: names.RANDOM_BOTH,
}
"""The curve that each curve is compared with, at equal sparsity and training."""

KEYS = ["curve", "sparsity", "epochs"]


UNPRUNED = {"curve": names.L1, "sparsity": 0.0, "epochs": 0}


def state(epochs: float) -> str:
    """Return "trained" or "untrained", by the epochs of training after pruning."""
    return "trained" if epochs else "untrained"


def part(sparsity: float, epochs: float) -> str:
    """Return sparsity and training as part of a name: "trained.s50"."""
    return joined(state(epochs), share(sparsity))


def path(case: Case) -> tuple[str, str]:
    """Return the parts of the name of a point's values: "l1" and "trained.s50"."""
    return case["curve"], part(case["sparsity"], case["epochs"])


@ANALYSIS.values
def point_values(record: Record) -> Tree:
    """Return each point's accuracy, its ``loss`` against the unpruned model, its lead over its
    rival (``ahead``), what it costs beside L1 alone, and what training ``recovered``.
    """
    points = Points(record, split="validation")

    def of_point(case: Case) -> Tree:
        losses, pairs = {"loss": (UNPRUNED, case)}, {}
        if rival := RIVALS.get(case["curve"]):
            pairs["ahead"] = (case, {**case, "curve": rival})
        if case["curve"] in (names.L1_STALE, names.L1_BOTH):
            losses["cost"] = ({**case, "curve": names.L1}, case)
        if case["epochs"]:
            pairs["recovered"] = (case, {**case, "epochs": 0})
        found: Tree = {"": points.accuracy(case), "chains": points.chains(case)}
        return {**found, **points.losses(losses), **points.gains(pairs)}

    return by_point(points.cases(KEYS), path, of_point)


@ANALYSIS.values
def values(record: Record) -> Tree:
    facts = rows(record, "facts")
    zeros = matching(facts, name="zero", sparsity=0, epochs=0)
    pruned = matching(facts, name="pruned")
    weights = pruned[~pruned["curve"].str.contains("activations")]
    seeds, reviews = Points(record, split="validation").answers(UNPRUNED).shape
    last_mask = facts[MASK].max() if MASK in facts else 0
    return {
        "natural_zeros": counted(zeros["value"].mean(), "share"),
        "largest_miss": counted((weights["value"] - weights["sparsity"]).abs().max(), "points"),
        "held_out": counted(reviews),
        "seeds": counted(seeds),
        "masks": counted(1 + last_mask),
    }


@ANALYSIS.table_of_values("pruning_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per point: sparsity, requested and achieved; share of zeros; accuracy."""
    facts = {"pruned": "pruned", "zero": "zero"}
    return _labelled(described(record, KEYS, facts, lambda case: values[path(case)]), record)


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
    curve = pd.Categorical(table["curve"], list(names.CURVES))
    words = {"way": table["curve"].map(names.CURVES), "training": table["epochs"].map(state)}
    table = table.assign(curve=curve, device=record["device"], **words)
    return table.sort_values(KEYS, ignore_index=True)
