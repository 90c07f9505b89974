"""Which choices of an architecture matter: the grid's factorial effects, and what foretells them.

Every architecture of the grid is trained, so the shares of variance are exact for these trainings,
not estimated from a search's trials.
"""

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import rows
from labs.analysis.points import Points
from labs.analysis.statistics import normal
from labs.analysis.values import Tree
from labs.experiments.search.names import LAYERS, QUERY_KEY, TRIAL, choices_of
from labs.records.quantity import Estimate, Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")
REST = "combinations"
"""What no single choice explains: their interactions, and the noise of a training."""

SPOKEN = {LAYERS: "layers", QUERY_KEY: "query or key"}


def shares(grid: pd.DataFrame, accuracy: pd.Series) -> dict[str, float]:
    """Return the share of the variance of accuracy that each column of a full grid explains.

    Main effects of a balanced factorial design add up; what is left is that of REST.
    """
    whole = float(((accuracy - accuracy.mean()) ** 2).sum())
    explained = {}
    for column in grid:
        means = accuracy.groupby(grid[column].to_numpy()).transform("mean")
        explained[str(column)] = float(((means - accuracy.mean()) ** 2).sum()) / whole
    return explained | {REST: 1 - sum(explained.values())}


@ANALYSIS.values
def values(record: Record) -> Tree:
    """Return what all choices explain, and how well size and early loss foretell accuracy.

    There is nothing of it where all architectures are equally accurate with a training seed.
    """
    by_seed = _by_seed(record)
    if not all(trained["accuracy"].nunique() > 1 for trained in by_seed.values()):
        return {}
    table = effect_table(record)
    explained = 1 - table.loc[table["choice"] == REST, "share"]
    parameters = _of_architectures(record, "parameters").groupby("architecture").mean()
    losses = _of_architectures(record, "early loss")
    by_size = [_tau(trained, parameters) for trained in by_seed.values()]
    early = [_tau(trained, -losses[seed]) for seed, trained in by_seed.items()]
    return {
        "effect": {
            "least": counted(explained.min(), "share"),
            "most": counted(explained.max(), "share"),
        },
        "size_tau": Quantity.of(_mean_tau(by_size, len(parameters)), "count"),
        "early_tau": Quantity.of(_mean_tau(early, len(parameters)), "count"),
    }


@ANALYSIS.table("search_effects")
def effect_table(record: Record) -> pd.DataFrame:
    """Return one row per choice and training seed: the share of variance that it explains.

    There are none of a seed with which all architectures are equally accurate.
    """
    table = []
    for seed, trained in _by_seed(record).items():
        if trained["accuracy"].nunique() > 1:
            grid = pd.DataFrame([choices_of(text) for text in trained["architecture"]])
            grid = grid.loc[:, grid.nunique() > 1]
            table += [
                (SPOKEN.get(choice, choice), seed, share)
                for choice, share in shares(grid, trained["accuracy"]).items()
            ]
    columns = ["choice", "replicate", "share"]
    return pd.DataFrame(table, columns=columns).assign(device=record["device"])


def _mean_tau(taus: list[float], architectures: int) -> Estimate:
    """Return the mean of Kendall's tau over training seeds, its interval over the architectures.

    The variance is that of unrelated rankings (Kendall, 1938). The seeds rank the same
    architectures: they do not make it smaller.
    """
    variance = 2 * (2 * architectures + 5) / (9 * architectures * (architectures - 1))
    return normal(float(np.mean(taus)), variance)


def _tau(trained: pd.DataFrame, scores: pd.Series) -> float:
    return float(kendalltau(trained["architecture"].map(scores), trained["accuracy"]).statistic)


def _of_architectures(record: Record, name: str) -> pd.Series:
    """Return a fact of each architecture of the grid, by training seed and architecture."""
    facts = rows(record, "facts", name=name, arm=TRIAL)
    return facts.set_index(["process", "architecture"])["value"].astype(float)


def _by_seed(record: Record) -> dict[int, pd.DataFrame]:
    """Return the architectures' accuracies of each training seed."""
    points = Points(record, split="validation", arm=TRIAL)
    table = points.replicates(["number", "architecture"])
    return {int(str(seed)): trained for seed, trained in table.groupby("replicate")}
