"""Values and tables of fixed-point models: accuracy by width, bits, epochs and learning rate."""

from collections.abc import Sequence

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import rows
from labs.analysis.points import Case, Points, chosen, described
from labs.analysis.values import Values, slug
from labs.experiments.compression.quantization import names
from labs.formats.names import FLOAT32, fixed_point, fraction_of, width_of
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

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


def name_of(case: Case) -> str:
    """Return the name of a point's value, such as quantization.PTQ.w8."""
    width, fraction = width_of(case["format"]), fraction_of(case["format"])
    short = {
        names.WIDTHS: FLOAT32 if case["format"] == FLOAT32 else f"w{width}",
        names.INTEGER_BITS: f"i{width - fraction}",
        names.FRACTIONAL_BITS: f"f{fraction}",
        names.EPOCHS: f"e{case['epochs']:.0f}",
        names.RATES: f"r{case['learning_rate']:g}".replace(".", "-"),
        names.ADVISED: names.ADVISED,
    }[case["curve"]]
    return f"quantization.{case['arm']}.{short}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    """Return every number about quantized models that the report may quote, by name.

    Each point has its accuracy. On the curves over formats it also has the share of ``zeros`` among
    its weights and its ``loss`` against the base model; QAT points add their lead over float32
    trained as long (``control``) and over PTQ in the same format (``recovered``).
    """
    points, facts = Points(record, split="validation"), rows(record, "facts")
    float32 = in_float32(names.PTQ)
    reviews = facts[facts["name"] == "reviews"]["value"].iloc[0]
    quoted = {
        "quantization.seeds": counted(facts["process"].nunique(), "count"),
        "quantization.held_out": counted(points.answers(float32).shape[1], "count"),
        "quantization.reviews": counted(reviews, "count"),
        "quantization.max_length": counted(record["spec"]["max_length"], "count"),
    }
    zeros = facts[facts["name"] == "zero"].groupby(KEYS)["value"].mean()
    for case in points.cases(KEYS):
        name = name_of(case)
        quoted[name] = points.accuracy(case)
        if case["curve"] in (names.EPOCHS, names.RATES):
            continue
        quoted[f"{name}.zeros"] = counted(zeros[tuple(case.values())], "share")
        quoted[f"{name}.loss"] = points.gain(float32, case)
        if case["arm"] == names.QAT:
            quoted[f"{name}.control"] = points.gain(case, in_float32(names.QAT))
            untrained = point(case["curve"], names.PTQ, case["format"])
            if points.has(untrained):
                quoted[f"{name}.recovered"] = points.gain(case, untrained)
    fewest, most = at_integer_bits(names.QAT, 2), at_integer_bits(names.QAT, 7)
    if points.has(fewest) and points.has(most):
        quoted["quantization.QAT.i7.over_two"] = points.gain(most, fewest)
    eight, four = at_width(names.PTQ, 8), at_width(names.PTQ, 4)
    if points.has(eight) and points.has(four):
        quoted["quantization.PTQ.w8.ahead"] = points.gain(eight, four)
    tested = Points(record, split="test")
    for case in tested.cases(["curve", "arm"]):
        name = f"quantization.{slug(case['curve'])}.{case['arm']}.tested"
        quoted[name] = tested.accuracy(case)
    return quoted


@ANALYSIS.quoted
def epoch_values(record: Record) -> dict[str, Quantity]:
    """Return the largest number of epochs, the best below it, and the best one beside a single."""
    tried = epochs_run(record)
    quoted = {"quantization.epochs.last": counted(tried[-1], "count")}
    if len(tried) > 1:
        peak, fall = best_against(record, [of_epochs(n) for n in tried[:-1]], of_epochs(tried[-1]))
        quoted["quantization.epochs.peak"] = counted(peak["epochs"], "count")
        quoted["quantization.epochs.fall"] = fall
    if len(tried) > 1 and 1 in tried:
        rival, lead = best_against(record, [of_epochs(n) for n in tried if n != 1], of_epochs(1))
        quoted["quantization.epochs.rival"] = counted(rival["epochs"], "count")
        quoted["quantization.epochs.rival.lead"] = lead
    return quoted


@ANALYSIS.quoted
def rate_values(record: Record) -> dict[str, Quantity]:
    """Return the learning rate that is used, and the best of the others that were tried."""
    used, tried = used_rate(record), rates_run(record)
    quoted = {
        "quantization.rate.used": counted(used, "count"),
        "quantization.rate.used.accuracy": Points(record, split="validation").accuracy(
            of_rate(used)
        ),
    }
    if len(tried) > 1:
        others = [of_rate(rate) for rate in tried if rate != used]
        rival, lead = best_against(record, others, of_rate(used))
        quoted["quantization.rate.rival"] = counted(rival["learning_rate"], "count")
        quoted["quantization.rate.rival.lead"] = lead
    return quoted


def epochs_run(record: Record) -> list[int]:
    """Return the numbers of epochs that were tried, in ascending order."""
    return sorted(int(n) for n in rows(record, "facts", curve=names.EPOCHS)["epochs"].unique())


def rates_run(record: Record) -> list[float]:
    """Return the learning rates that were tried, in ascending order."""
    return sorted(rows(record, "facts", curve=names.RATES)["learning_rate"].unique())


def used_rate(record: Record) -> float:
    """Return the learning rate of all curves except the one over learning rates."""
    return float(rows(record, "facts", curve=names.EPOCHS)["learning_rate"].iloc[0])


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


@ANALYSIS.old_table_of_values("quantization_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per point: its bits, validation accuracy, training loss, share of zeros."""
    facts = {"loss": "loss", "zero": "zero"}
    table = described(record, KEYS, facts, lambda case: values[name_of(case)])
    return _with_bits(table, record)


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
