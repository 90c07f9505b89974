"""Values and tables of fixed-point models: accuracy by width, bits and epochs."""

from collections.abc import Sequence

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import CHOOSING, READING, Points, chosen, described
from labs.analysis.rates import rate_table, rate_values
from labs.analysis.values import Part, Tree, Values, joined
from labs.experiments.compression.points import by_point
from labs.experiments.compression.quantization import names
from labs.experiments.compression.quantization.names import PTQ, QAT
from labs.formats.names import FLOAT32, fraction_of, width_of
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case

ANALYSIS = Analysis("quantization")
ANALYSIS.values(rate_values)
ANALYSIS.table("quantization_rates")(rate_table)

KEYS = ["curve", "arm", "format", "epochs"]


LEADS = {
    "PTQ.w8.ahead": ("PTQ.w8", "PTQ.w4"),
    "PTQ.i5.over_three": ("PTQ.i5", "PTQ.i3"),
    "PTQ.i10.over_five": ("PTQ.i10", "PTQ.i5"),
    "PTQ.f27.over_four": ("PTQ.f27", "PTQ.f4"),
    "QAT.w8.over_float32": ("QAT.w8", "PTQ.float32"),
    "QAT.w8.over_advised": ("QAT.w8", "QAT.advised"),
    "QAT.i7.over_two": ("QAT.i7", "QAT.i2"),
    "QAT.f8.over_three": ("QAT.f8", "QAT.f3"),
}
"""Differences in accuracy that claims are about: the first point's minus the second's."""


def path(case: Case) -> tuple[str, str]:
    """Return the parts of the name of a point's values, such as "PTQ" and "w8"."""
    width, fraction = width_of(case["format"]), fraction_of(case["format"])
    short = {
        names.WIDTHS: FLOAT32 if case["format"] == FLOAT32 else f"w{width}",
        names.INTEGER_BITS: f"i{width - fraction}",
        names.FRACTIONAL_BITS: f"f{fraction}",
        names.EPOCHS: f"e{case['epochs']:.0f}",
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
    at = {path(case): case for case in points.cases(KEYS)}
    zeros = rows(record, "facts", name="zero").groupby(KEYS)["value"].mean()

    def of_point(case: Case) -> Tree:
        accuracy = points.accuracy(case)
        if case["curve"] == names.EPOCHS:
            return {"": accuracy}
        arm, short = path(case)
        zero = counted(zeros[tuple(case.values())], "share")
        loss = points.loss(at[PTQ, FLOAT32], case)
        pairs = {}
        if arm == QAT:
            pairs["control"] = (case, at[QAT, FLOAT32])
            if (PTQ, short) in at:
                pairs["recovered"] = (case, at[PTQ, short])
        chains, gains = points.chains(case), points.gains(pairs)
        return {"": accuracy, "chains": chains, "zeros": zero, "loss": loss, **gains}

    return by_point(at.values(), path, of_point)


@ANALYSIS.values
def values(record: Record) -> Tree:
    points, facts = Points(record, split="validation"), rows(record, "facts")
    at = {joined(*path(case)): case for case in points.cases(KEYS)}
    leads = {
        name: (at[first], at[second])
        for name, (first, second) in LEADS.items()
        if first in at and second in at
    }
    return {
        "seeds": counted(facts["process"].nunique()),
        "held_out": counted(points.answers(at["PTQ.float32"]).shape[1]),
        "reviews": counted(matching(facts, name="reviews")["value"].iloc[0]),
        "max_length": counted(record["spec"]["max_length"]),
        **points.gains(leads),
    }


@ANALYSIS.values
def epoch_values(record: Record) -> Tree:
    """Return the largest number of epochs, the best below it, and the best one beside a single."""
    cases = Points(record, curve=names.EPOCHS, split="validation").cases(KEYS)
    at = {case["epochs"]: case for case in sorted(cases, key=lambda case: case["epochs"])}
    *others, last = at
    found: dict[Part, Quantity | Tree] = {"last": counted(last)}
    if others:
        peak, fall = best_against(record, [at[n] for n in others], at[last])
        found |= {"peak": counted(peak["epochs"]), "fall": fall.as_loss()}
    if others and 1 in at:
        rival, lead = best_against(record, [at[n] for n in at if n != 1], at[1])
        found["rival"] = {"": counted(rival["epochs"]), "lead": lead}
    return {"epochs": found}


def best_against(record: Record, points: Sequence[Case], other: Case) -> tuple[Case, Quantity]:
    """Return the best of several points, and its lead over another.

    It is chosen on half of the reviews and judged on the other half.
    """
    choosing, judging = (Points(record, half, split="validation") for half in (CHOOSING, READING))
    best = max(points, key=lambda point: choosing.accuracy(point).value)
    return best, judging.gain(best, other)


@ANALYSIS.table_of_values("quantization_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per point: its bits, validation accuracy, training loss, share of zeros."""
    facts = {"loss": "loss", "zero": "zero"}
    return _with_bits(described(record, KEYS, facts, lambda case: values[path(case)]), record)


@ANALYSIS.table_of_values("quantization_widths")
def width_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format of the curve over widths: share of zeros, accuracy of each arm."""
    points = point_table(record, values).query("curve == @names.WIDTHS").set_index("format")
    arms = [
        points.loc[points["arm"] == arm, ["accuracy", "accuracy_low", "accuracy_high"]].set_axis(
            [name, f"{name}_low", f"{name}_high"], axis="columns"
        )
        for arm, name in ((PTQ, "ptq"), (QAT, "qat"))
    ]
    zeros = points.loc[points["arm"] == PTQ, "zero"]
    table = pd.concat([zeros, *arms], axis=1).reset_index()
    return table.sort_values("format", key=lambda column: column == FLOAT32, kind="stable")


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
    return table.sort_values([*KEYS[:2], "width", "epochs"], ignore_index=True)
