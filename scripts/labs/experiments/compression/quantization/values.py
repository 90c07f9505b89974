"""Values and tables of fixed-point models: accuracy by width, bits, epochs and learning rate."""

from collections.abc import Sequence

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, rows, slug
from labs.analysis.points import Case, Points, chosen, described
from labs.experiments.compression.quantization import names
from labs.records.record import Record

ANALYSIS = Analysis("quantization")

KEYS = ["curve", "arm", "format", "epochs", "learning_rate"]


Rival = tuple[Case, Value]
"""A point, and its lead over another."""


def point(curve: str, arm: str, spelled: str) -> Case:
    """Return the case that identifies a point of a curve over formats."""
    return {"curve": curve, "arm": arm, "format": spelled}


def at_width(arm: str, width: int) -> Case:
    """Return the point of a width, with half of its bits fractional."""
    return point(names.WIDTHS, arm, names.fixed_point(width, width // 2))


def in_float32(arm: str) -> Case:
    """Return the float32 point: the base model for PTQ; for QAT, the same trained further."""
    return point(names.WIDTHS, arm, names.FLOAT32)


def at_integer_bits(arm: str, bits: int) -> Case:
    """Return a point of the curve over integer bits."""
    return point(names.INTEGER_BITS, arm, names.fixed_point(bits + names.FRACTION, names.FRACTION))


def at_fractional_bits(arm: str, bits: int) -> Case:
    """Return a point of the curve over fractional bits."""
    return point(names.FRACTIONAL_BITS, arm, names.fixed_point(bits + names.INTEGERS, bits))


def as_advised(arm: str) -> Case:
    """Return the point of the format that a published report recommends."""
    return point(names.ADVISED, arm, names.ADVISED_FORMAT)


def of_epochs(epochs: int) -> Case:
    """Return a point of the curve over epochs."""
    return {"curve": names.EPOCHS, "arm": names.QAT, "epochs": epochs}


def of_rate(rate: float) -> Case:
    """Return a point of the curve over learning rates."""
    return {"curve": names.RATES, "arm": names.QAT, "learning_rate": rate}


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about quantized models that the report may quote, by name.

    Each point has its accuracy. On the curves over formats it also has the share of ``zeros`` among
    its weights and its ``loss`` against the base model; QAT points add their lead over float32
    trained as long (``control``) and over PTQ in the same format (``recovered``).
    """
    spec, points = record["spec"], Points(record, split="validation")
    reviews = rows(record, "facts", name="reviews")["value"]
    found = {
        "quantization.seeds": exactly(len(replicates(record)), "count"),
        "quantization.held_out": exactly(points.answers(in_float32(names.PTQ)).shape[1], "count"),
        "quantization.reviews": exactly(reviews.iloc[0], "count"),
        "quantization.max_length": exactly(spec["max_length"], "count"),
    }
    zeros = rows(record, "facts", name="zero").groupby(KEYS)["value"].mean()
    for row in points.table(KEYS).to_dict("records"):
        case = {key: row[key] for key in KEYS}
        name = name_of(case)
        found[name] = points.accuracy(case)
        if case["curve"] in (names.EPOCHS, names.RATES):
            continue
        found[f"{name}.zeros"] = exactly(zeros[tuple(case.values())], "share")
        found[f"{name}.loss"] = points.gain(in_float32(names.PTQ), case)
        if case["arm"] == names.QAT:
            found[f"{name}.control"] = points.gain(case, in_float32(names.QAT))
            untrained = point(case["curve"], names.PTQ, case["format"])
            if points.has(untrained):
                found[f"{name}.recovered"] = points.gain(case, untrained)
    fewest, most = at_integer_bits(names.QAT, 2), at_integer_bits(names.QAT, 7)
    if points.has(fewest) and points.has(most):
        found["quantization.QAT.i7.over_two"] = points.gain(most, fewest)
    eight, four = at_width(names.PTQ, 8), at_width(names.PTQ, 4)
    if points.has(eight) and points.has(four):
        found["quantization.PTQ.w8.ahead"] = points.gain(eight, four)
    for what, of in (("rate", _of_rates), ("epochs", _of_epochs)):
        found |= {f"quantization.{what}.{name}": value for name, value in of(record).items()}
    tested = Points(record, split="test")
    for curve, arm in chosen_table(record)[["curve", "arm"]].drop_duplicates().values:
        name = f"quantization.{slug(curve)}.{arm}.tested"
        found[name] = tested.accuracy({"curve": curve, "arm": arm})
    return found


def name_of(case: Case) -> str:
    """Return the name of a point's value, such as quantization.PTQ.w8."""
    width, fraction = names.width_of(case["format"]), names.fraction_of(case["format"])
    short = {
        names.WIDTHS: names.FLOAT32 if case["format"] == names.FLOAT32 else f"w{width}",
        names.INTEGER_BITS: f"i{width - fraction}",
        names.FRACTIONAL_BITS: f"f{fraction}",
        names.EPOCHS: f"e{case['epochs']:.0f}",
        names.RATES: f"r{case['learning_rate']:g}",
        names.ADVISED: names.ADVISED,
    }[case["curve"]]
    return f"quantization.{case['arm']}.{short}"


def replicates(record: Record) -> list[int]:
    """Return the numbers of the replicates."""
    return sorted({fact["process"] for fact in record["facts"]})


def epochs_run(record: Record) -> list[int]:
    """Return the numbers of epochs that were tried, in ascending order."""
    return sorted(int(n) for n in rows(record, "facts", curve=names.EPOCHS)["epochs"].unique())


def used_rate(record: Record) -> float:
    """Return the learning rate of all curves except the one over learning rates."""
    return float(rows(record, "facts", curve=names.EPOCHS)["learning_rate"].iloc[0])


def rates_run(record: Record) -> list[float]:
    """Return the learning rates that were tried, in ascending order."""
    return sorted(rows(record, "facts", curve=names.RATES)["learning_rate"].unique())


def _of_epochs(record: Record) -> dict[str, Value]:
    """Return the largest number of epochs, the best below it, and the best one beside a single."""
    tried = epochs_run(record)
    found = {"last": exactly(tried[-1], "count")}
    if len(tried) > 1:
        peak, fall = before_last(record)
        found |= {"peak": exactly(peak["epochs"], "count"), "fall": fall}
    if 1 in tried and len(tried) > 1:
        rival, lead = beside_one_epoch(record)
        found |= {"rival": exactly(rival["epochs"], "count"), "rival.lead": lead}
    return found


def _of_rates(record: Record) -> dict[str, Value]:
    """Return the learning rate that is used, and the best of the others that were tried."""
    points, used = Points(record, split="validation"), used_rate(record)
    found = {
        "used": exactly(used, "count"),
        "used.accuracy": points.accuracy(of_rate(used)),
    }
    if len(rates_run(record)) > 1:
        rival, lead = beside_used_rate(record)
        found |= {"rival": exactly(rival["learning_rate"], "count"), "rival.lead": lead}
    return found


def before_last(record: Record) -> Rival:
    """Return the best number of epochs below the largest, held against the largest."""
    *fewer, last = map(of_epochs, epochs_run(record))
    return best_against(record, fewer, last)


def beside_one_epoch(record: Record) -> Rival:
    """Return the best number of epochs other than one, held against one."""
    others = [of_epochs(number) for number in epochs_run(record) if number != 1]
    return best_against(record, others, of_epochs(1))


def beside_used_rate(record: Record) -> Rival:
    """Return the best learning rate other than the one that is used, held against that."""
    used = used_rate(record)
    others = [of_rate(rate) for rate in rates_run(record) if rate != used]
    return best_against(record, others, of_rate(used))


def best_against(record: Record, points: Sequence[Case], other: Case) -> Rival:
    """Return the best of some points, and its lead over another.

    It is chosen on half of the reviews and judged on the other half: on the same reviews, the best
    of several would lead by chance.
    """
    choosing, judging = (
        Points(record, slice(start, None, 2), split="validation") for start in (0, 1)
    )
    best = max(points, key=lambda point: choosing.accuracy(point).estimate.value)
    return best, judging.gain(best, other)


@ANALYSIS.table("quantization_points")
def point_table(record: Record) -> pd.DataFrame:
    """Return one row per point: its bits, validation accuracy, training loss, share of zeros."""
    return _with_bits(described(record, KEYS, {"loss": "loss", "zero": "zero"}), record)


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
    width, fraction = table["format"].map(names.width_of), table["format"].map(names.fraction_of)
    bits = {"width": width, "integer_bits": width - fraction, "fractional_bits": fraction}
    table = table.assign(device=record["device"], **bits)
    return table.sort_values([*KEYS[:2], "width", "epochs", "learning_rate"], ignore_index=True)
