"""What the mixed-precision searches found: trials, winners, and the formats of their layers."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.families import significance_in_family
from labs.analysis.frame import columns
from labs.analysis.rates import rate_table, rate_values
from labs.analysis.values import Tree, Values
from labs.experiments.precision import names
from labs.experiments.precision.judged import BASELINE, BEST_PAIR, Judged, Study, winner
from labs.experiments.precision.names import ALL, EACH, PAIRS, TEST, VALIDATION
from labs.formats.names import FLOAT32, FORMATS
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("precision")
ANALYSIS.values(rate_values)
ANALYSIS.table("precision_rates")(rate_table)
DRAWS, DRAWN_WITH = 100_000, 1
"""Random models to which the counts of formats are compared, and the seed of their generator."""

COLUMNS = ["accuracy", "objective", "best", "best_objective", "loss", "bits"]

TOLERANCE = 1e-9
"""Of sums in another order."""


@ANALYSIS.values
def values(record: Record) -> Tree:
    judged = Judged(record)
    return {
        **{study.name: _of_winner(judged, study) for study in with_winner(judged)},
        "startup": counted(record["spec"]["startup"]),
        "layers": counted(len(judged.layers())),
        "reviews": {
            split: counted(points.answers(BASELINE).shape[1])
            for split, points in judged.points.items()
        },
        "float32": {split: points.accuracy(BASELINE) for split, points in judged.points.items()},
        "best_format": {"test": judged.points[TEST].accuracy(winner(EACH))},
        "formats": _kept(judged),
    }


@ANALYSIS.values
def leads(record: Record) -> Tree:
    """Return how far winners are ahead of other models."""
    points = Judged(record).points
    validation, test = points[VALIDATION], points[TEST]
    binary, denorm, ieee = map(winner, ("binary", "minifloat_denorm", "minifloat_ieee"))
    quantized, trained = winner(names.PAIRS_QUANTIZED), winner(names.PAIRS_TRAINED)
    others = [winner(name) for name in FORMATS if name != "binary"]
    best = max(others, key=lambda model: validation.accuracy(model).value)
    return {
        "binary": {"over_others": validation.gain(binary, best)},
        "minifloat_denorm": {"over_ieee": validation.gain(denorm, ieee)},
        "minifloat_ieee": {"over_integer": validation.gain(ieee, winner("integer"))},
        names.PAIRS_QUANTIZED: {"over_best_pair": test.gain(quantized, BEST_PAIR)},
        names.PAIRS_TRAINED: {"over_untrained": test.gain(trained, winner(PAIRS))},
        ALL: {"over_best_format": test.gain(winner(ALL), winner(EACH))},
    }


def with_winner(judged: Judged) -> list[Study]:
    """Return the searches that choose one model; those by two objectives leave a front."""
    return [study for study in judged.studies() if not study.two]


def _of_winner(judged: Judged, study: Study) -> Tree:
    """Return how good a search's winner is, and what it is made of."""
    chosen, searched = winner(study.name), judged.trials(study)
    validation, test = judged.points[VALIDATION], judged.points[TEST]
    plain = [formats.count(FLOAT32) for formats in winners(judged, study)]
    found: dict[str, Quantity | Tree] = {
        "trials": counted(searched["trial"].max()),
        "mean_bits": counted(searched["bits"].mean(), "bits"),
        "rise_after": {
            word: counted(float(np.mean(rises(searched, last))), "points")
            for word, last in (("two", 2), ("ten", 10))
        },
        "validation": validation.accuracy(chosen),
        "behind": validation.loss(BASELINE, chosen),
        "bits": counted(judged.mean("bits", split=VALIDATION, **chosen), "bits"),
        "float32": counted(float(np.mean(plain))),
    }
    if test.has(chosen):
        behind = test.loss(BASELINE, chosen)
        found["test"] = {"": test.accuracy(chosen), "behind": behind}
        found["ahead"] = test.gain(chosen, BASELINE)
    if study.part == ALL:
        found["chance"] = counted(chance(judged, study), "share")
    return found


def _kept(judged: Judged) -> Tree:
    """Return how many formats' winners are shown to be as accurate as float32.

    The interval ends with those that may be. All are decided together, so it holds at once.
    """
    validation = judged.points[VALIDATION]
    costs = {name: validation.gain(BASELINE, winner(name)) for name in FORMATS}
    shown = significance_in_family(costs).values()
    kept = sum(cost.at_most for cost in shown)
    undecided = sum(not cost.at_most and not cost.above for cost in shown)
    return {
        "": counted(len(shown)),
        "kept": Quantity(kept, kept, kept + undecided, unit="count"),
        "undecided": counted(undecided),
    }


def winners(judged: Judged, study: Study) -> list[Sequence[str]]:
    """Return the formats of a search's winner, by replicate and layer."""
    rows = judged.rows(split=VALIDATION, **winner(study.name))
    return [names.formats_of(text) for text in rows["formats"]]


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
    likely = Counter(map(names.family, study.choices))
    chosen = Counter(
        names.family(spelled) for formats in winners(judged, study) for spelled in formats
    )
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
    for study in judged.studies():
        rows = judged.trials(study)
        rows["objective"] = rows["accuracy"] - study.penalty * rows["bits"]
        best = rows.groupby("replicate")[["accuracy", "objective"]].cummax()
        rows[["best", "best_objective"]] = best
        mean = rows.groupby("trial")[COLUMNS].mean().reset_index()
        parts.append(mean.assign(study=study.name, part=study.part))
    return pd.concat(parts, ignore_index=True).assign(device=record["device"])


@ANALYSIS.table_of_values("precision_winners")
def winner_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per search that chooses: its winner's accuracy, gain over float32, bits.

    It is on the test split, where the winner was judged on that, else on validation.
    """
    judged, table = Judged(record), []
    for study in with_winner(judged):
        chosen, of_study = winner(study.name), values.below(study.name)
        split = TEST if TEST in of_study else VALIDATION
        ahead = judged.points[split].gain(chosen, BASELINE)
        best = judged.trials(study).groupby("replicate")["accuracy"].max()
        table.append(
            {"study": study.name, "part": study.part, "best": best.mean()}
            | columns(accuracy=of_study[split], ahead=ahead)
            | {"loss": judged.mean("loss", split=split, **chosen)}
            | {part: of_study[part].value for part in ("bits", "float32")}
        )
    return pd.DataFrame(table).assign(device=record["device"])


@ANALYSIS.table("precision_layers")
def layer_table(record: Record) -> pd.DataFrame:
    """Return one row per search that chooses and layer: the format in the first seed's winner."""
    judged = Judged(record)
    return pd.DataFrame(
        {"study": study.name, "part": study.part, "layer": layer, "spelled": spelled}
        for study in with_winner(judged)
        for layer, spelled in zip(judged.layers(), winners(judged, study)[0], strict=True)
    ).assign(device=record["device"])
