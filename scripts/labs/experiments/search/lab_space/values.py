"""What the search's record says of the lab's whole space: samplers that searched it for real.

Each sampler has one search with every training seed; the unit is the training seed.
"""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import rows
from labs.analysis.statistics import mean
from labs.analysis.values import Part, Tree
from labs.experiments.search.names import LAB_SAMPLERS, LAB_SPACE
from labs.experiments.search.samplers.values import spoken
from labs.records.names.studies import RANDOM, TPE
from labs.records.packed import unpack
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search", "search.lab_space")
SEARCH = ["sampler", "replicate"]
KEYS = [*SEARCH, "trial", "architecture"]
MEASURED = ["accuracy", "best", "core_seconds", "parameters", "repeated"]

IMPORTANCE = {"importance": "", "importance by chance": "_chance"}
"""Facts about parameters, and what their columns' names have after the sampler's."""

MOST_IMPORTANT = 8


def trials(record: Record) -> int:
    """Return how many trials a search has; 0 where the preset leaves the space out."""
    return int(record["spec"].get("lab_trials", 0))


def searches(record: Record) -> pd.DataFrame:
    """Return one row a sampler, training seed and trial, in this order.

    They have the trial's accuracy on validation, the best so far, the processor time so far in
    seconds, the parameters, and whether the search has tried that architecture before.
    """
    if not trials(record):
        return pd.DataFrame(columns=[*KEYS, *MEASURED])
    # Those of a parameter, its importance, have no trial.
    facts = rows(record, "facts", arm=LAB_SPACE).dropna(subset="trial")
    facts = facts.rename(columns={"process": "replicate"})
    table = facts.pivot(index=KEYS, columns="name", values="value").reset_index()
    table = table.astype({"core-seconds": float, "parameters": int})
    table["accuracy"] = [float(unpack(packed).mean()) for packed in table["correct"]]
    by_search = table.groupby(SEARCH)
    table["best"] = by_search["accuracy"].cummax()
    table["core_seconds"] = by_search["core-seconds"].cumsum()
    table["repeated"] = table.duplicated([*SEARCH, "architecture"])
    return table[[*KEYS, *MEASURED]]


@ANALYSIS.values
def values(record: Record) -> Tree:
    table = searches(record)
    if table.empty:
        return {}
    ends = table.groupby(SEARCH)[["best", "core_seconds"]].max()
    best = ends["best"]
    tree: dict[Part, Quantity | Tree] = {
        "trials": counted(trials(record)),
        "seeds": counted(table["replicate"].nunique()),
        "ahead": Quantity.of(mean((best[TPE] - best[RANDOM]).to_list()), "points"),
    }
    for sampler, tried in table.groupby("sampler"):
        tree[str(sampler)] = {
            "best": Quantity.of(mean(best[sampler].to_list()), "share"),
            "each": counted(tried["accuracy"].mean(), "share"),
            "repeats": counted(tried["repeated"].mean(), "share"),
            "cost": counted(ends["core_seconds"][sampler].sum(), "s"),
        }
    important = importance_table(record)
    return tree if important.empty else tree | {"importance": counted(len(important))}


@ANALYSIS.table("search_lab_importance")
def importance_table(record: Record) -> pd.DataFrame:
    """Return the MOST_IMPORTANT parameters, one a row: their shares by sampler, and by chance.

    Shares are means over the training seeds. There are no rows where searches were too short.
    """
    facts = rows(record, "facts")
    shares = facts[facts["name"].isin(IMPORTANCE)]
    columns = [f"{sampler}{column}" for sampler in LAB_SAMPLERS for column in IMPORTANCE.values()]
    if shares.empty:
        return pd.DataFrame(columns=["parameter", *columns, "device"])
    named = shares["sampler"] + shares["name"].map(IMPORTANCE)
    table = shares.assign(column=named, value=shares["value"].astype(float)).pivot_table(
        index="parameter", columns="column", values="value"
    )[columns]
    most = table[list(LAB_SAMPLERS)].mean(axis=1).nlargest(MOST_IMPORTANT).index
    return table.loc[most].reset_index().assign(device=record["device"])


@ANALYSIS.table("search_lab_space")
def trial_table(record: Record) -> pd.DataFrame:
    """Return ``searches`` with the samplers' names in words; no rows where there are none."""
    table = searches(record)
    names = spoken(record, trials(record))
    return table.assign(sampler=table["sampler"].map(names), device=record["device"])
