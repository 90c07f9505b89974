"""What models whose layers are all alike are worth: by format and width, and their bytes."""

from itertools import product

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact
from labs.analysis.points import Case
from labs.experiments.precision import names
from labs.experiments.precision.judged import BASELINE, Judged, uniform
from labs.experiments.precision.names import FRACTIONS, TEST, UNIFORM, VALIDATION, WIDTHS
from labs.formats.names import FLOAT32, FORMATS, fixed_point
from labs.records.names.intervals import POINT
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("precision")
TOLERATED_LOSS = POINT
"""A width suffices if it loses at most this accuracy."""

BEST_PAIR: Case = {"arm": UNIFORM, "role": "best pair"}
"""The lab's pair that is best on the validation split, in all layers."""

LAB_WIDTH = 8
"""The width of the lab's formats, in bits."""

OTHERS = (*names.LAB_PAIRS, names.EVERYTHING, names.WITHOUT_SCALE, names.ON_INPUTS)
"""Models beside those of one format at one width."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    judged = Judged(record)
    validation, quoted = judged.points[VALIDATION], {}
    for fraction in FRACTIONS:
        pairs = [validation.accuracy(pair(width, fraction)).value for width in WIDTHS]
        quoted[f"precision.fraction.{fraction}.least"] = counted(min(pairs), "share")
        quoted[f"precision.fraction.{fraction}.most"] = counted(max(pairs), "share")
    quoted["precision.best_pair.test"] = judged.points[TEST].accuracy(BEST_PAIR)
    models = {f"alone.{name}": alone(judged, name) for name in FORMATS} | {
        "odd.without_scale": uniform(names.WITHOUT_SCALE),
        "odd.on_inputs": uniform(names.ON_INPUTS),
    }
    for name, case in models.items():
        quoted[f"precision.{name}"] = validation.accuracy(case)
        quoted[f"precision.{name}.behind"] = validation.gain(BASELINE, case)
    widths = {name: narrowest(judged, name) for name in FORMATS}
    enough = {name: width for name, width in widths.items() if width is not None}
    if enough:
        enough["least"] = min(enough.values())
    for name, width in enough.items():
        quoted[f"precision.narrowest.{name}"] = counted(width, "count")
    behind = validation.gain(BASELINE, uniform(names.EVERYTHING))
    quoted["precision.bytes.everything.behind"] = behind
    whole = fact(record, "bytes", FLOAT32)[0]
    quoted["precision.bytes.float32"] = counted(whole, "bytes")
    for name, arm in (("linears", names.LINEARS), ("everything", names.EVERYTHING)):
        size = fact(record, "bytes", arm)[0]
        quoted[f"precision.bytes.{name}"] = counted(size, "bytes")
        quoted[f"precision.bytes.{name}.saved"] = counted(1 - size / whole, "share")
    return quoted


def pair(width: int, fraction: int) -> Case:
    """Return the model that has one of the lab's pairs in all layers."""
    return uniform(f"integer {fixed_point(width, fraction)}")


def alone(judged: Judged, name: str) -> Case:
    """Return the model that has a format in all layers, with the lab's width.

    The widest there is without it.
    """
    widths = widths_of(judged, name)
    if not widths:
        return uniform(name)
    return uniform(f"{name} {LAB_WIDTH if LAB_WIDTH in widths else max(widths)}")


def widths_of(judged: Judged, name: str) -> list[int]:
    """Return the widths at which a format was judged in all layers; none for one without width."""
    models = judged.rows(arm=UNIFORM, split=VALIDATION)["spelled"].unique()
    spelled = [model.split(" ") for model in models if model not in OTHERS]
    return [int(width[0]) for family, *width in spelled if family == name and width]


def narrowest(judged: Judged, name: str) -> int | None:
    """Return the least width at which a format loses at most TOLERATED_LOSS on validation.

    None for a format without a width, or if no width does.
    """
    points = judged.points[VALIDATION]
    losses = {w: points.gain(BASELINE, uniform(f"{name} {w}")) for w in widths_of(judged, name)}
    enough = [width for width, loss in losses.items() if loss.value <= TOLERATED_LOSS]
    return min(enough, default=None)


@ANALYSIS.table("precision_widths")
def width_table(record: Record) -> pd.DataFrame:
    """Return one row per format and width; a format without widths has the bits of its weights."""
    judged, table = Judged(record), []
    models = judged.rows(arm=UNIFORM, split=VALIDATION).drop_duplicates("spelled")
    for spelled, bits in models[["spelled", "bits"]].values:
        if spelled not in OTHERS:
            case = uniform(spelled)
            name, _, width = spelled.partition(" ")
            row = {"format": name, "width": int(width) if width else None, "bits": bits}
            row |= columns(accuracy=judged.points[VALIDATION].accuracy(case))
            table.append(row | {"loss": judged.mean("loss", split=VALIDATION, **case)})
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
