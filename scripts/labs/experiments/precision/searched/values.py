"""What the mixed-precision searches found: trials, winners, and the formats of their layers."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.families import significance_in_family
from labs.analysis.frame import columns
from labs.analysis.values import Values
from labs.experiments.precision.judged import BASELINE, Judged, trials, winner
from labs.experiments.precision.names import ALL, EACH, TEST, VALIDATION, family, formats_of
from labs.experiments.precision.studies import Study, layers, studies
from labs.formats.names import FLOAT32
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("precision")
DRAWS, DRAWN_WITH = 100_000, 1
"""Random models to which the counts of formats are compared, and the seed of their generator."""

COLUMNS = ["accuracy", "objective", "best", "best_objective", "loss", "bits"]

TOLERANCE = 1e-9
"""Of sums in another order."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    judged = Judged(record)
    test = judged.points[TEST]
    quoted = {
        "precision.startup": counted(record["spec"]["startup"], "count"),
        "precision.layers": counted(len(layers(record)), "count"),
        "precision.best_format.test": test.accuracy(winner(EACH)),
    }
    for split, points in judged.points.items():
        quoted[f"precision.float32.{split}"] = points.accuracy(BASELINE)
        quoted[f"precision.reviews.{split}"] = counted(points.answers(BASELINE).shape[1], "count")
    for study in with_winner(record):
        quoted |= _of_winner(judged, study)
    formats = studies(record, EACH)
    costs = {study.name: quoted[f"{study.prefix}.behind"] for study in formats}
    shown = significance_in_family(costs).values()
    kept = sum(cost.at_most for cost in shown)
    undecided = sum(not cost.at_most and not cost.above for cost in shown)
    quoted["precision.formats"] = counted(len(formats), "count")
    quoted["precision.formats.kept"] = counted(kept, "count")
    quoted["precision.formats.undecided"] = counted(undecided, "count")
    for study in studies(record, ALL):
        quoted[f"{study.prefix}.chance"] = counted(chance(judged, study), "share")
        lead = test.gain(winner(study.name), winner(EACH))
        quoted[f"{study.prefix}.over_best_format"] = lead
    return quoted


def with_winner(record: Record) -> list[Study]:
    """Return the searches that choose one model; those by two objectives leave a front."""
    return [study for study in studies(record) if not study.two]


def _of_winner(judged: Judged, study: Study) -> dict[str, Quantity]:
    """Return how good a search's winner is, and what it is made of."""
    chosen, searched = winner(study.name), trials(judged, study.name)
    validation, test = judged.points[VALIDATION], judged.points[TEST]
    plain = [formats.count(FLOAT32) for formats in winners(judged, study)]
    bits = judged.rows(split=VALIDATION, **chosen)["bits"].mean()
    parts = {
        "trials": counted(searched["trial"].max(), "count"),
        "mean_bits": counted(searched["bits"].mean(), "bits"),
        "rise_after.two": counted(float(np.mean(rises(searched, 2))), "share"),
        "rise_after.ten": counted(float(np.mean(rises(searched, 10))), "share"),
        "validation": validation.accuracy(chosen),
        "behind": validation.gain(BASELINE, chosen),
        "bits": counted(bits, "bits"),
        "float32": counted(float(np.mean(plain)), "count"),
    }
    if test.has(chosen):
        parts |= {"test": test.accuracy(chosen), "ahead": test.gain(chosen, BASELINE)}
    return {f"{study.prefix}.{part}": value for part, value in parts.items()}


def winners(judged: Judged, study: Study) -> list[Sequence[str]]:
    """Return the formats of a search's winner, by replicate and layer."""
    rows = judged.rows(split=VALIDATION, **winner(study.name))
    return [formats_of(text) for text in rows["formats"]]


def rises(searched: pd.DataFrame, last: int, penalty: float = 0.0) -> list[float]:
    """Return by how much each replicate's best rose after so many trials, bits at a penalty."""
    objective = searched["accuracy"] - penalty * searched["bits"]
    return [
        float(trials.max() - trials.iloc[:last].max())
        for _, trials in objective.groupby(searched["replicate"])
    ]


def chance(judged: Judged, study: Study) -> float:
    """Return how often random models have type counts at least as uneven as a search's winners.

    Uneven in Pearson's chi-squared against what drawing every choice alike would give.
    """
    likely = Counter(map(family, study.choices))
    chosen = Counter(family(spelled) for formats in winners(judged, study) for spelled in formats)
    shares = np.array(list(likely.values())) / likely.total()
    expected = shares * chosen.total()
    drawn = np.random.default_rng(DRAWN_WITH).multinomial(chosen.total(), shares, DRAWS)
    counts = np.array([chosen[name] for name in likely])
    of_winners, of_drawn = (((n - expected) ** 2 / expected).sum(axis=-1) for n in (counts, drawn))
    # The winners are one more draw, which keeps the share from being zero.
    return float((1 + (of_drawn >= of_winners - TOLERANCE).sum()) / (1 + DRAWS))


@ANALYSIS.table("precision_trials")
def trial_table(record: Record) -> pd.DataFrame:
    """Return one row per search and trial: mean accuracy over seeds, and the best so far.

    ``objective`` is what the search goes by, and ``best_objective`` the best of it so far.
    """
    judged, parts = Judged(record), []
    for study in studies(record):
        rows = trials(judged, study.name)
        rows["objective"] = rows["accuracy"] - study.penalty * rows["bits"]
        best = rows.groupby("replicate")[["accuracy", "objective"]].cummax()
        rows[["best", "best_objective"]] = best
        mean = rows.groupby("trial")[COLUMNS].mean().reset_index()
        parts.append(mean.assign(study=study.name, part=study.part))
    return pd.concat(parts, ignore_index=True).assign(device=record["device"])


@ANALYSIS.old_table_of_values("precision_winners")
def winner_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per search that chooses: its winner's accuracy, gain over float32, bits.

    It is on the test split, where the winner was judged on that, else on validation.
    """
    judged, table = Judged(record), []
    for study in with_winner(record):
        chosen, name = winner(study.name), study.prefix
        split = TEST if f"{name}.test" in values else VALIDATION
        ahead = values.get(f"{name}.ahead") or judged.points[split].gain(chosen, BASELINE)
        best = trials(judged, study.name).groupby("replicate")["accuracy"].max()
        table.append(
            {"study": study.name, "part": study.part, "best": best.mean()}
            | columns(accuracy=values[f"{name}.{split}"], ahead=ahead)
            | {"loss": judged.mean("loss", split=split, **chosen)}
            | {part: values[f"{name}.{part}"].value for part in ("bits", "float32")}
        )
    return pd.DataFrame(table).assign(device=record["device"])


@ANALYSIS.table("precision_layers")
def layer_table(record: Record) -> pd.DataFrame:
    """Return one row per search that chooses and layer: the format in the first seed's winner."""
    judged = Judged(record)
    return pd.DataFrame(
        {"study": study.name, "part": study.part, "layer": layer, "spelled": spelled}
        for study in with_winner(record)
        for layer, spelled in zip(layers(record), winners(judged, study)[0], strict=True)
    ).assign(device=record["device"])
