"""What models whose layers are all alike are worth: by format and width, and their bytes."""

from itertools import product

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, with_interval
from labs.experiments.compression.quantization.names import FLOAT32, fixed_point
from labs.experiments.precision.judged import BASELINE, Case, Judged, uniform
from labs.experiments.precision.names import (
    EVERYTHING,
    FRACTIONS,
    LAB_PAIRS,
    LINEARS,
    ON_INPUTS,
    TEST,
    UNIFORM,
    VALIDATION,
    WIDTHS,
    WITHOUT_SCALE,
    family,
)
from labs.formats.names import FORMATS
from labs.records.names.intervals import POINT
from labs.records.record import Record

ANALYSIS = Analysis("precision")
TOLERATED_LOSS = POINT
"""A width suffices if it loses at most this accuracy."""

BEST_PAIR: Case = {"arm": UNIFORM, "role": "best pair"}
"""The lab's pair that is best on the validation split, in all layers."""

LAB_WIDTH = 8
"""The width of the lab's formats, in bits."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    judged = Judged(record)
    found = {}
    for fraction in FRACTIONS:
        pairs = [judged.accuracy(VALIDATION, uniform(pair(width, fraction))) for width in WIDTHS]
        shares = [value.estimate.value for value in pairs]
        found[f"precision.fraction.{fraction}.least"] = exactly(min(shares), "share")
        found[f"precision.fraction.{fraction}.most"] = exactly(max(shares), "share")
    found["precision.best_pair.test"] = judged.accuracy(TEST, BEST_PAIR)
    for name in FORMATS:
        case = uniform(at_lab_width(judged, name))
        found[f"precision.alone.{name}"] = judged.accuracy(VALIDATION, case)
        found[f"precision.alone.{name}.behind"] = judged.gain(VALIDATION, BASELINE, case)
    widths = {name: narrowest(judged, name) for name in FORMATS}
    enough = {name: width for name, width in widths.items() if width is not None}
    for name, width in enough.items():
        found[f"precision.narrowest.{name}"] = exactly(width, "count")
    if enough:
        found["precision.narrowest.least"] = exactly(min(enough.values()), "count")
    for name, spelled in (("without_scale", WITHOUT_SCALE), ("on_inputs", ON_INPUTS)):
        found[f"precision.odd.{name}"] = judged.accuracy(VALIDATION, uniform(spelled))
        found[f"precision.odd.{name}.behind"] = judged.gain(VALIDATION, BASELINE, uniform(spelled))
    behind = judged.gain(VALIDATION, BASELINE, uniform(EVERYTHING))
    found["precision.bytes.everything.behind"] = behind
    whole = fact(record, "bytes", FLOAT32)[0]
    found["precision.bytes.float32"] = exactly(whole, "bytes")
    for name, arm in (("linears", LINEARS), ("everything", EVERYTHING)):
        size = fact(record, "bytes", arm)[0]
        found[f"precision.bytes.{name}"] = exactly(size, "bytes")
        found[f"precision.bytes.{name}.saved"] = exactly(1 - size / whole, "share")
    return found


def pair(width: int, fraction: int) -> str:
    """Return one of the lab's pairs as it is spelled."""
    return f"integer {fixed_point(width, fraction)}"


def at_lab_width(judged: Judged, name: str) -> str:
    """Return how a format with the lab's width is spelled; the widest there is without it."""
    spelled = list(judged.rows(arm=UNIFORM, split=VALIDATION)["spelled"])
    if name in spelled:
        return name
    widths = [int(one.split(" ")[1]) for one in spelled if is_width_of(one, name)]
    return f"{name} {LAB_WIDTH if LAB_WIDTH in widths else max(widths)}"


def is_width_of(spelled: str, name: str) -> bool:
    """Return whether this is a format at some width, and none of the lab's pairs."""
    return family(spelled) == name and " " in spelled and spelled not in LAB_PAIRS


def narrowest(judged: Judged, name: str) -> int | None:
    """Return the least width at which a format loses at most TOLERATED_LOSS on validation.

    None for a format without a width, or if no width does.
    """
    spelled = judged.rows(arm=UNIFORM, split=VALIDATION)["spelled"].unique()
    enough = [
        int(one.split(" ")[1])
        for one in spelled
        if is_width_of(one, name)
        and judged.gain(VALIDATION, BASELINE, uniform(one)).estimate.value <= TOLERATED_LOSS
    ]
    return min(enough, default=None)


@ANALYSIS.table("precision_widths")
def width_table(record: Record) -> pd.DataFrame:
    """Return one row per format and width; a format without widths has the bits of its weights."""
    judged, found = Judged(record), []
    models = judged.rows(arm=UNIFORM, split=VALIDATION).drop_duplicates("spelled")
    for _, row in models.iterrows():
        spelled = str(row["spelled"])
        if spelled in (*LAB_PAIRS, EVERYTHING, WITHOUT_SCALE, ON_INPUTS):
            continue
        _, _, width = spelled.partition(" ")
        found.append(
            {
                "format": family(spelled),
                "width": int(width) if width else None,
                "bits": row["bits"],
                **with_interval("accuracy", judged.accuracy(VALIDATION, uniform(spelled)).estimate),
                "loss": judged.mean("loss", split=VALIDATION, **uniform(spelled)),
            }
        )
    return pd.DataFrame(found).assign(device=record["device"])


@ANALYSIS.table("precision_pairs")
def pair_table(record: Record) -> pd.DataFrame:
    """Return one row per pair of the lab's widths, of the model that has it everywhere."""
    judged, found = Judged(record), []
    for fraction, width in product(FRACTIONS, WIDTHS):
        case = uniform(pair(width, fraction))
        row = {"fraction": fraction, "width": width}
        row |= with_interval("accuracy", judged.accuracy(VALIDATION, case).estimate)
        row |= with_interval("behind", judged.gain(VALIDATION, BASELINE, case).estimate)
        found.append(row | {"loss": judged.mean("loss", split=VALIDATION, **case)})
    return pd.DataFrame(found).assign(device=record["device"])
