"""Which choices of an architecture matter: the grid's factorial effects, and what foretells them.

Every architecture of the grid is trained, so the shares of variance are exact for these trainings,
not estimated from a search's trials.
"""

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, rows
from labs.analysis.points import Points
from labs.analysis.statistics import Estimate, mean, normal
from labs.experiments.search.architectures.values import architecture_table
from labs.experiments.search.names import LAYERS, QUERY_KEY, TRIAL, choices_of
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
    found = {}
    for column in grid:
        means = accuracy.groupby(grid[column].to_numpy()).transform("mean")
        found[str(column)] = float(((means - accuracy.mean()) ** 2).sum()) / whole
    return found | {REST: 1 - sum(found.values())}


def varies(record: Record) -> bool:
    """Return whether the architectures differ in accuracy with every training seed."""
    return all(len(set(one["accuracy"])) > 1 for _, one in _by_seed(record))


def foretold(record: Record) -> list[float]:
    """Return Kendall's tau of the number of parameters with accuracy, by training seed."""
    sizes = architecture_table(record).set_index("architecture")["parameters"]
    return [_tau(one, sizes) for _, one in _by_seed(record)]


def foretold_early(record: Record) -> list[float]:
    """Return Kendall's tau of a low early loss with accuracy, by training seed."""
    facts = rows(record, "facts", name="early loss")
    losses = facts.set_index(["process", "architecture"])["value"]
    return [_tau(one, -losses[seed].astype(float)) for seed, one in _by_seed(record)]


def mean_tau(record: Record, taus: list[float]) -> Estimate:
    """Return the mean of Kendall's tau over training seeds, its interval over the architectures.

    The variance is that of unrelated rankings (Kendall, 1938). The seeds rank the same
    architectures: they do not make it smaller.
    """
    number = len(architecture_table(record))
    variance = 2 * (2 * number + 5) / (9 * number * (number - 1))
    return normal(float(np.mean(taus)), variance)


def explained(record: Record) -> list[float]:
    """Return the share of variance that all choices explain by themselves, by training seed."""
    table = effect_table(record)
    rest = table[table["choice"] == REST]
    return [1 - share for share in rest["share"]]


def mean_share(shares: list[float]) -> Estimate:
    """Return the mean of shares over training seeds, its interval over the seeds within 0 and 1."""
    found = mean(shares)
    low, high = np.clip([found.low, found.high], 0, 1)
    return Estimate(found.value, float(low), float(high), found.freedom)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return what all choices explain, and how well size foretells accuracy, by name."""
    if not varies(record):
        return {}
    return {
        "search.effect.choices": Value(mean_share(explained(record)), "share"),
        "search.size_tau": Value(mean_tau(record, foretold(record)), "count"),
        "search.early_tau": Value(mean_tau(record, foretold_early(record)), "count"),
    }


@ANALYSIS.table("search_effects")
def effect_table(record: Record) -> pd.DataFrame:
    """Return one row per choice and training seed: the share of variance that it explains."""
    found = []
    for replicate, one in _by_seed(record):
        if len(set(one["accuracy"])) == 1:
            continue
        grid = pd.DataFrame([choices_of(text) for text in one["architecture"]])
        grid = grid.loc[:, grid.nunique() > 1]
        for choice, share in shares(grid, one["accuracy"]).items():
            row = {"choice": SPOKEN.get(choice, choice), "replicate": replicate, "share": share}
            found.append(row)
    columns = ["choice", "replicate", "share"]
    return pd.DataFrame(found, columns=columns).assign(device=record["device"])


def _tau(trained: pd.DataFrame, scores: pd.Series) -> float:
    """Return Kendall's tau of the architectures' scores with their accuracies."""
    return float(kendalltau(trained["architecture"].map(scores), trained["accuracy"]).statistic)


def _by_seed(record: Record) -> list[tuple[int, pd.DataFrame]]:
    """Return the architectures' accuracies of each training seed."""
    points = Points(record, split="validation", arm=TRIAL)
    table = points.replicates(["number", "architecture"])
    return [(int(str(seed)), one) for seed, one in table.groupby("replicate")]
