"""What the search's record says of the lab's whole space: samplers that searched it for real.

Each sampler has one search with every training seed; the unit is the training seed.
"""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import rows
from labs.analysis.statistics import mean
from labs.experiments.search.names import LAB_SAMPLERS, LAB_SPACE
from labs.experiments.search.samplers.values import spoken
from labs.records.names.studies import RANDOM, TPE
from labs.records.packed import unpack
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")
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


def leads(record: Record) -> list[float]:
    """Return how far TPE's best is ahead of that of random search, by training seed."""
    best = searches(record).groupby(SEARCH)["best"].max()
    return list(best[TPE] - best[RANDOM])


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    table = searches(record)
    if table.empty:
        return {}
    values = {
        "trials": counted(trials(record), "count"),
        "seeds": counted(table["replicate"].nunique(), "count"),
        "ahead": Quantity.of(mean(leads(record)), "share"),
    }
    for sampler, tried in table.groupby("sampler"):
        by_seed = tried.groupby("replicate")
        values |= {
            f"{sampler}.best": Quantity.of(mean(by_seed["best"].max().to_list()), "share"),
            f"{sampler}.each": counted(tried["accuracy"].mean(), "share"),
            f"{sampler}.repeats": counted(tried["repeated"].mean(), "share"),
            f"{sampler}.cost": counted(by_seed["core_seconds"].max().sum(), "s"),
        }
    if not (important := importance_table(record)).empty:
        values["importance"] = counted(len(important), "count")
    return {f"search.lab_space.{name}": value for name, value in values.items()}


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
