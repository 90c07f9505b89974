"""Values and tables of fixed-point models: accuracy by width, bits, epochs and learning rate."""

from collections.abc import Sequence

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import Points, chosen, described
from labs.analysis.values import Part, Tree, Values
from labs.experiments.compression.points import by_point
from labs.experiments.compression.quantization import names
from labs.formats.names import FLOAT32, fixed_point, fraction_of, width_of
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case

ANALYSIS = Analysis("quantization")

KEYS = ["curve", "arm", "format", "epochs", "learning_rate"]


def point(curve: str, arm: str, spelled: str) -> Case:
    """Return the case that identifies a point of a curve over formats."""
    return {"curve": curve, "arm": arm, "format": spelled}


def at_width(arm: str, width: int) -> Case:
    """Return the point of a width, with half of its bits fractional."""
    return point(names.WIDTHS, arm, fixed_point(width, width // 2))


def in_float32(arm: str) -> Case:
    """Return the float32 point: the base model for PTQ; for QAT, the same trained further."""
    return point(names.WIDTHS, arm, FLOAT32)


def at_integer_bits(arm: str, bits: int) -> Case:
    """Return a point of the curve over integer bits."""
    return point(names.INTEGER_BITS, arm, fixed_point(bits + names.FRACTION, names.FRACTION))


def at_fractional_bits(arm: str, bits: int) -> Case:
    """Return a point of the curve over fractional bits."""
    return point(names.FRACTIONAL_BITS, arm, fixed_point(bits + names.INTEGERS, bits))


def as_advised(arm: str) -> Case:
    """Return the point of the format that a published report recommends."""
    return point(names.ADVISED, arm, names.ADVISED_FORMAT)


def of_epochs(epochs: int) -> Case:
    """Return a point of the curve over epochs."""
    return {"curve": names.EPOCHS, "arm": names.QAT, "epochs": epochs}


def of_rate(rate: float) -> Case:
    """Return a point of the curve over learning rates."""
    return {"curve": names.RATES, "arm": names.QAT, "learning_rate": rate}


def path(case: Case) -> tuple[str, str]:
    """Return the parts of the name of a point's values, such as "PTQ" and "w8"."""
    width, fraction = width_of(case["format"]), fraction_of(case["format"])
    short = {
        names.WIDTHS: FLOAT32 if case["format"] == FLOAT32 else f"w{width}",
        names.INTEGER_BITS: f"i{width - fraction}",
        names.FRACTIONAL_BITS: f"f{fraction}",
        names.EPOCHS: f"e{case['epochs']:.0f}",
        names.RATES: f"r{case['learning_rate']:g}",
        names.ADVISED: names.ADVISED,
    }
    return case["arm"], short[case["curve"]]


@ANALYSIS.values
def point_values(record: Record) -> Tree:
    """Return each point's accuracy; on the curves over formats, also the share of ``zeros`` among
    its weights and its ``loss`` against the base model.

    QAT points add their lead over float32 trained as long (``control``) and over PTQ in the same
    format (``recovered``).
    """
    points = Points(record, split="validation")
    zeros = rows(record, "facts", name="zero").groupby(KEYS)["value"].mean()

    def of_point(case: Case) -> Tree:
        accuracy = points.accuracy(case)
        if case["curve"] in (names.EPOCHS, names.RATES):
            return {"": accuracy}
        pairs = {"loss": (in_float32(names.PTQ), case)}
        if case["arm"] == names.QAT:
            untrained = point(case["curve"], names.PTQ, case["format"])
            pairs |= {"control": (case, in_float32(names.QAT)), "recovered": (case, untrained)}
        zero = counted(zeros[tuple(case.values())], "share")
        return {"": accuracy, "zeros": zero, **points.gains(pairs)}

    return by_point(points.cases(KEYS), path, of_point)


@ANALYSIS.values
def values(record: Record) -> Tree:
    points, facts = Points(record, split="validation"), rows(record, "facts")
    leads = {
        "PTQ.w8.ahead": (at_width(names.PTQ, 8), at_width(names.PTQ, 4)),
        "QAT.i7.over_two": (at_integer_bits(names.QAT, 7), at_integer_bits(names.QAT, 2)),
    }
    return {
        "seeds": counted(facts["process"].nunique()),
        "held_out": counted(points.answers(in_float32(names.PTQ)).shape[1]),
        "reviews": counted(matching(facts, name="reviews")["value"].iloc[0]),
        "max_length": counted(record["spec"]["max_length"]),
        **points.gains(leads),
    }


@ANALYSIS.values
def epoch_values(record: Record) -> Tree:
    """Return the largest number of epochs, the best below it, and the best one beside a single."""
    tried = sorted(rows(record, "facts", curve=names.EPOCHS)["epochs"].unique())
    found: dict[Part, Quantity | Tree] = {"last": counted(tried[-1])}
    if len(tried) > 1:
        peak, fall = best_against(record, [of_epochs(n) for n in tried[:-1]], of_epochs(tried[-1]))
        found |= {"peak": counted(peak["epochs"]), "fall": fall}
    if len(tried) > 1 and 1 in tried:
        rival, lead = best_against(record, [of_epochs(n) for n in tried if n != 1], of_epochs(1))
        found["rival"] = {"": counted(rival["epochs"]), "lead": lead}
    return {"epochs": found}


@ANALYSIS.values
def rate_values(record: Record) -> Tree:
    """Return the learning rate that is used, and the best of the others that were tried."""
    points = Points(record, split="validation")
    # All curves but that over learning rates have the same.
    used = rows(record, "facts", curve=names.EPOCHS)["learning_rate"].iloc[0]
    tried = sorted(rows(record, "facts", curve=names.RATES)["learning_rate"].unique())
    found: dict[Part, Quantity | Tree] = {
        "used": {"": counted(used), "accuracy": points.accuracy(of_rate(used))}
    }
    if len(tried) > 1:
        others = [of_rate(rate) for rate in tried if rate != used]
        rival, lead = best_against(record, others, of_rate(used))
        found["rival"] = {"": counted(rival["learning_rate"]), "lead": lead}
    return {"rate": found}


def best_against(record: Record, points: Sequence[Case], other: Case) -> tuple[Case, Quantity]:
    """Return the best of several points, and its lead over another.

    It is chosen on half of the reviews and judged on the other half: on the same reviews, the best
    of several would lead by chance.
    """
    choosing, judging = (
        Points(record, slice(start, None, 2), split="validation") for start in (0, 1)
    )
    best = max(points, key=lambda point: choosing.accuracy(point).value)
    return best, judging.gain(best, other)


@ANALYSIS.table_of_values("quantization_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per point: its bits, validation accuracy, training loss, share of zeros."""
    facts = {"loss": "loss", "zero": "zero"}
    return _with_bits(described(record, KEYS, facts, lambda case: values[path(case)]), record)


@ANALYSIS.table("quantization_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per point and replicate: its validation accuracy."""
    return _with_bits(Points(record, split="validation").replicates(KEYS), record)


@ANALYSIS.table("quantization_chosen")
def chosen_table(record: Record) -> pd.DataFrame:
    """Return one row per curve and replicate: the chosen format, its accuracy on both splits."""
    return _with_bits(chosen(record, KEYS), record)


def _with_bits(table: pd.DataFrame, record: Record) -> pd.DataFrame:
    """Return a table of points with device and widths as columns, sorted by curve and width."""
    width, fraction = table["format"].map(width_of), table["format"].map(fraction_of)
    bits = {"width": width, "integer_bits": width - fraction, "fractional_bits": fraction}
    table = table.assign(device=record["device"], **bits)
    return table.sort_values([*KEYS[:2], "width", "epochs", "learning_rate"], ignore_index=True)
