"""What the mixed-precision searches found: trials, winners, and the formats of their layers."""

from collections import Counter

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.families import Shown, shown_together
from labs.analysis.frame import Value, exactly, slug, with_interval
from labs.experiments.compression.quantization.names import FLOAT32
from labs.experiments.precision.judged import BASELINE, Judged, trials, winner
from labs.experiments.precision.names import ALL, EACH, TEST, TRIALS, VALIDATION, family, formats_of
from labs.experiments.precision.studies import Study, layers, studies
from labs.records.record import Record

ANALYSIS = Analysis("precision")
DRAWS, DRAWN_WITH = 100_000, 1
"""Random models to which the counts of formats are compared, and the seed of their generator."""


COLUMNS = ["accuracy", "objective", "best", "best_objective", "loss", "bits"]

TOLERANCE = 1e-9
"""Of sums in another order."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    judged, spec = Judged(record), record["spec"]
    found = {"precision.startup": exactly(spec["startup"], "count")}
    for split in (TRIALS, VALIDATION, TEST):
        found[f"precision.float32.{split}"] = judged.accuracy(split, BASELINE)
        number = judged.answers(split, BASELINE).shape[1]
        found[f"precision.reviews.{split}"] = exactly(number, "count")
    found["precision.layers"] = exactly(len(layers(record)), "count")
    for study in with_winner(record):
        name = f"precision.{slug(study.name)}"
        for key, value in _of_winner(judged, study.name).items():
            found[f"{name}.{key}"] = value
    kept = kept_by_format(judged, record)
    found["precision.formats.kept"] = exactly(sum(one.at_most for one in kept), "count")
    undecided = sum(not one.at_most and not one.above for one in kept)
    found["precision.formats.undecided"] = exactly(undecided, "count")
    found["precision.formats"] = exactly(len(studies(record, EACH)), "count")
    found["precision.best_format.test"] = judged.accuracy(TEST, winner(EACH))
    for study in studies(record, ALL):
        name = f"precision.{slug(study.name)}"
        found[f"{name}.chance"] = exactly(chance(judged, study), "share")
        gain = judged.gain(TEST, winner(study.name), winner(EACH))
        found[f"{name}.over_best_format"] = gain
    return found


def with_winner(record: Record) -> list[Study]:
    """Return the searches that choose one model; those by two objectives leave a front."""
    return [study for study in studies(record) if not study.two]


def _of_winner(judged: Judged, study: str) -> dict[str, Value]:
    """Return how good a search's winner is, and what it is made of."""
    chosen, split = winner(study), judged_on(judged, study)
    searched = trials(judged, study)
    winners = judged.rows(split=VALIDATION, **chosen)
    plain = [formats_of(text).count(FLOAT32) for text in winners["formats"]]
    found = {
        "trials": exactly(searched["trial"].max(), "count"),
        "mean_bits": exactly(searched["bits"].mean(), "bits"),
        **{
            f"rise_after.{name}": exactly(float(np.mean(rises(searched, last))), "share")
            for name, last in (("two", 2), ("ten", 10))
        },
        "validation": judged.accuracy(VALIDATION, chosen),
        "behind": judged.gain(VALIDATION, BASELINE, chosen),
        "bits": exactly(winners["bits"].mean(), "bits"),
        "float32": exactly(float(np.mean(plain)), "count"),
    }
    if split == TEST:
        found["test"] = judged.accuracy(TEST, chosen)
        found["ahead"] = judged.gain(TEST, chosen, BASELINE)
    return found


def rises(searched: pd.DataFrame, last: int, penalty: float = 0.0) -> list[float]:
    """Return by how much each replicate's best rose after so many trials, bits at a penalty."""
    found = searched.assign(worth=searched["accuracy"] - penalty * searched["bits"])
    return [
        float(mine["worth"].max() - mine["worth"].iloc[:last].max())
        for _, mine in found.groupby("replicate")
    ]


def judged_on(judged: Judged, study: str) -> str:
    """Return the reviews by which a search's winner is compared: the test split where it was."""
    return TEST if judged.has(TEST, winner(study)) else VALIDATION


def kept_by_format(judged: Judged, record: Record) -> list[Shown]:
    """Return what is shown of each format's loss against float32, that of its search's winner."""
    costs = {
        study.name: judged.gain(VALIDATION, BASELINE, winner(study.name)).estimate
        for study in studies(record, EACH)
    }
    return list(shown_together(costs).values())


def chance(judged: Judged, study: Study) -> float:
    """Return how often random models have type counts at least as uneven as a search's winners.

    Uneven in Pearson's chi-squared against what drawing every choice alike would give.
    """
    likely = Counter(map(family, study.choices))
    winners = judged.rows(split=VALIDATION, **winner(study.name))
    seen = Counter(family(one) for text in winners["formats"] for one in formats_of(text))
    shares = np.array(list(likely.values())) / likely.total()
    expected = shares * seen.total()
    drawn = np.random.default_rng(DRAWN_WITH).multinomial(seen.total(), shares, DRAWS)
    mine = np.array([seen[name] for name in likely])
    unevenness = [((one - expected) ** 2 / expected).sum(axis=-1) for one in (mine, drawn)]
    # The winners are one more draw, which keeps the share from being zero.
    return float((1 + (unevenness[1] >= unevenness[0] - TOLERANCE).sum()) / (1 + DRAWS))


@ANALYSIS.table("precision_trials")
def trial_table(record: Record) -> pd.DataFrame:
    """Return one row per search and trial: mean accuracy over seeds, and the best so far.

    ``objective`` is what the search goes by, and ``best_objective`` the best of it so far.
    """
    judged, parts = Judged(record), []
    for study in studies(record):
        found = trials(judged, study.name)
        found["objective"] = found["accuracy"] - study.penalty * found["bits"]
        by_replicate = found.groupby("replicate")
        found["best"] = by_replicate["accuracy"].cummax()
        found["best_objective"] = by_replicate["objective"].cummax()
        mean = found.groupby("trial")[COLUMNS].mean().reset_index()
        parts.append(mean.assign(study=study.name, part=study.part))
    return pd.concat(parts, ignore_index=True).assign(device=record["device"])


@ANALYSIS.table("precision_winners")
def winner_table(record: Record) -> pd.DataFrame:
    """Return one row per search that chooses: its winner's accuracy, gain over float32, bits."""
    judged, found = Judged(record), []
    for study in with_winner(record):
        chosen, split = winner(study.name), judged_on(judged, study.name)
        values = _of_winner(judged, study.name)
        best = trials(judged, study.name).groupby("replicate")["accuracy"].max()
        found.append(
            {
                "study": study.name,
                "part": study.part,
                "best": best.mean(),
                **with_interval("accuracy", judged.accuracy(split, chosen).estimate),
                **with_interval("ahead", judged.gain(split, chosen, BASELINE).estimate),
                "loss": judged.mean("loss", split=split, **chosen),
                "bits": values["bits"].estimate.value,
                "float32": values["float32"].estimate.value,
            }
        )
    return pd.DataFrame(found).assign(device=record["device"])


@ANALYSIS.table("precision_layers")
def layer_table(record: Record) -> pd.DataFrame:
    """Return one row per search that chooses and layer: the format in the first seed's winner."""
    judged, found = Judged(record), []
    for study in with_winner(record):
        winners = judged.rows(split=VALIDATION, **winner(study.name))
        chosen = formats_of(winners["formats"].iloc[0])
        for layer, spelled in zip(layers(record), chosen, strict=True):
            row = {"study": study.name, "part": study.part, "layer": layer, "spelled": spelled}
            found.append(row)
    return pd.DataFrame(found).assign(device=record["device"])
