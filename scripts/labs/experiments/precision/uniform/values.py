"""What models whose layers are all alike are worth: by format and width, and their bytes."""

from collections import defaultdict
from itertools import product

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, columns, fact
from labs.analysis.points import Points
from labs.analysis.values import Tree
from labs.experiments.precision import names
from labs.experiments.precision.judged import BASELINE, BEST_PAIR, Judged, uniform
from labs.experiments.precision.names import FRACTIONS, TEST, UNIFORM, VALIDATION, WIDTHS
from labs.formats.names import FLOAT32, FORMATS, fixed_point
from labs.records.names.intervals import POINT
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case

ANALYSIS = Analysis("precision")
TOLERATED_LOSS = POINT
"""A width suffices if it loses at most this accuracy."""

LAB_WIDTH = 8
"""The width of the lab's formats, in bits."""

OTHERS = (*names.LAB_PAIRS, names.EVERYTHING, names.WITHOUT_SCALE, names.ON_INPUTS)
"""Models beside those of one format at one width."""

ByWidth = dict[int, Case]


@ANALYSIS.values
def values(record: Record) -> Tree:
    judged = Judged(record)
    validation, formats = judged.points[VALIDATION], by_format(judged)

    def worth(case: Case) -> dict[str, Quantity]:
        return {"": validation.accuracy(case), "behind": validation.loss(BASELINE, case)}

    # The lab's width, or the widest of those that were run.
    models = {
        name: widths.get(LAB_WIDTH) or widths[max(widths)] for name, widths in formats.items()
    }
    return {
        "fraction": {fraction: _of_fraction(validation, fraction) for fraction in FRACTIONS},
        "eight_bits": {
            "behind_32": validation.loss(pair(32, 4), pair(8, 4)),
            "behind_16": validation.loss(pair(16, 8), pair(8, 8)),
        },
        "best_pair": {"test": judged.points[TEST].accuracy(BEST_PAIR)},
        "alone": {name: worth(models[name]) for name in FORMATS},
        "scale_gain": validation.gain(models["binary_scaling"], models["binary"]),
        "odd": {
            "without_scale": worth(uniform(names.WITHOUT_SCALE)),
            "on_inputs": worth(uniform(names.ON_INPUTS)),
        },
        "narrowest": _narrowest(validation, formats),
        "bytes": _bytes(record, validation),
    }


def pair(width: int, fraction: int) -> Case:
    """Return the model that has one of the lab's pairs in all layers."""
    return uniform(f"integer {fixed_point(width, fraction)}")


def _of_fraction(points: Points, fraction: int) -> Tree:
    """Return what models of all widths are worth, and how far the best is behind float32."""
    models = [pair(width, fraction) for width in WIDTHS]
    accuracies = [points.accuracy(model).value for model in models]
    best = models[accuracies.index(max(accuracies))]
    return {
        "least": counted(min(accuracies), "share"),
        "most": counted(max(accuracies), "share"),
        "behind": points.loss(BASELINE, best),
    }


def by_format(judged: Judged) -> dict[str, ByWidth]:
    """Return the models of one format at one width; a format without widths has the width 0."""
    models: dict[str, ByWidth] = defaultdict(dict)
    for spelled in judged.rows(arm=UNIFORM, split=VALIDATION)["spelled"].unique():
        if spelled not in OTHERS:
            name, _, width = spelled.partition(" ")
            models[name][int(width or 0)] = uniform(spelled)
    return models


def _narrowest(points: Points, formats: dict[str, ByWidth]) -> Tree:
    """Return the least width at which each format loses at most TOLERATED_LOSS.

    Formats without widths have none, and those of which no width suffices.
    """
    least: dict[str, int] = {}
    for name, models in formats.items():
        losses = {width: points.gain(BASELINE, model).value for width, model in models.items()}
        enough = [width for width, loss in losses.items() if width and loss <= TOLERATED_LOSS]
        if enough:
            least[name] = min(enough)
    if least:
        least["least"] = min(least.values())
    return all_counted("count", least)


def _bytes(record: Record, points: Points) -> Tree:
    """Return the bytes of the model, and how many of them MXINT8 saves."""
    whole = fact(record, "bytes", FLOAT32)[0]

    def sizes(arm: str) -> dict[str, Quantity]:
        size = fact(record, "bytes", arm)[0]
        return {"": counted(size, "bytes"), "saved": counted(1 - size / whole, "share")}

    behind = points.loss(BASELINE, uniform(names.EVERYTHING))
    return {
        "float32": counted(whole, "bytes"),
        "linears": sizes(names.LINEARS),
        "everything": sizes(names.EVERYTHING) | {"behind": behind},
    }


@ANALYSIS.table("precision_widths")
def width_table(record: Record) -> pd.DataFrame:
    """Return one row per format and width; a format without widths has the bits of its weights."""
    judged, table = Judged(record), []
    for name, models in by_format(judged).items():
        for width, case in models.items():
            bits, loss = (judged.mean(of, split=VALIDATION, **case) for of in ("bits", "loss"))
            row = {"format": name, "width": width or None, "bits": bits}
            row |= columns(accuracy=judged.points[VALIDATION].accuracy(case))
            table.append(row | {"loss": loss})
    return pd.DataFrame(table).assign(device=record["device"])


@ANALYSIS.table("precision_pairs")
def pair_table(record: Record) -> pd.DataFrame:
    """Return one row per pair of the lab's widths, of the model that has it everywhere."""
    judged, table = Judged(record), []
    points = judged.points[VALIDATION]
    for fraction, width in product(FRACTIONS, WIDTHS):
        case = pair(width, fraction)
        row = {"fraction": fraction, "width": width}
        row |= columns(accuracy=points.accuracy(case), behind=points.gain(BASELINE, case))
        table.append(row | {"loss": judged.mean("loss", split=VALIDATION, **case)})
    return pd.DataFrame(table).assign(device=record["device"])
