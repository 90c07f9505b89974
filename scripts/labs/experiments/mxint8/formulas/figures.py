"""Figures of the lab's decoding formula: what one bit decides, and where the formula is wrong."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from labs.experiments.mxint8.names import EIGHT_BITS, INFINITY, LOWEST, NO_IMPLICIT_ONE
from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, WHOLE, WIDTH

Point = tuple[float, float]

FIGURES = Figures()
SET, UNSET, EXACT = COLOURS[0], COLOURS[1], "#9a9a9a"
FIELDS = {"sign": "#dddddd", "one": COLOURS[0], "exponent": "#f0e3c8", "fraction": "#cfe3d8"}
CAUSES = {NO_IMPLICIT_ONE: COLOURS[0], EIGHT_BITS: COLOURS[1], INFINITY: COLOURS[3]}


@FIGURES.figure_per_device("mxint8_formulas_decoded", "mxint8_formulas_decoded")
def draw_decoded(decoded: pd.DataFrame) -> Drawing:
    """Draw every mantissa's value at scale one, as packed and after the correction."""
    figure, row = plt.subplots(1, 2, figsize=(WHOLE, 1.9), sharey=True)
    panels = {
        "out": "packed as BF16, nothing subtracted",
        "formula": "bias subtracted where the bit is not set",
    }
    for axes, (column, title) in zip(row, panels.items(), strict=True):
        axes.axvspan(-64, 64, color="#f4f1e8", lw=0)
        axes.plot(decoded["mantissa"], decoded["exact"], color=EXACT, lw=3.4, alpha=0.55)
        for leading, colour, marker in ((True, SET, "s"), (False, UNSET, "o")):
            part = decoded[decoded["leading"] == leading]
            axes.plot(part["mantissa"], part[column], marker, color=colour, ms=1.7)
        axes.set(title=title, xlabel="mantissa, as int8")
        axes.set_xticks([-128, -64, 0, 64, 127])
        wrong = decoded[decoded[column] != decoded["exact"]]
        if len(wrong) == 1:
            mantissa, value = wrong.iloc[0][["mantissa", column]]
            axes.plot(mantissa, value, "o", mfc="none", mec=COLOURS[3], ms=8)
            axes.annotate(
                f"{mantissa} becomes {value:g}".replace("-", "−"),
                (mantissa, value),
                xytext=(-118, 0.75),
                color=COLOURS[3],
                arrowprops={"arrowstyle": "-", "color": COLOURS[3], "lw": 0.7},
            )
    row[0].set_ylabel("value, in units of the scale")
    row[0].text(68, -0.85, "bit worth\none is set", color=SET, va="top")
    row[0].text(4, -0.85, "bit is\nnot set", color=UNSET, va="top")
    row[0].text(-20, 0.02, "exact", color="#606060", ha="right")
    # How far a packed mantissa without the bit lies from its value.
    (without,) = decoded[decoded["mantissa"] == 32].to_dict("records")
    _arrow(row[0], (32, without["exact"]), (32, without["out"]), "black", "<->")
    middle = (without["exact"] + without["out"]) / 2
    row[0].text(35, middle + 0.12, "bias", va="center", fontsize=7.5)
    rest = decoded[~decoded["leading"] & (decoded["mantissa"] != LOWEST)]
    off, right = (rest["out"] - rest["exact"]).abs(), decoded["formula"] == decoded["exact"]
    alt = (
        "Two panels of decoded value against mantissa. Packed alone, the "
        f"{decoded['leading'].sum()} mantissas whose bit worth one is set lie on the exact "
        f"line, and all others lie {off.min():g} scale further from zero. With the correction "
        f"{right.sum()} of {len(decoded)} lie on the line."
    )
    return Drawing(figure, alt)


@FIGURES.figure_per_device("mxint8_formulas_twins", "mxint8_formulas_twins")
def draw_twins(twins: pd.DataFrame) -> Drawing:
    """Draw two mantissas that pack into the same BF16 word, and what each decodes to.

    Every bit is a box, coloured by its field.
    """
    figure = plt.figure(figsize=(WHOLE, 1.8), layout="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 63), ylim=(0, 23))
    axes.axis("off")
    # Reading the table has turned these bits into numbers.
    twins = twins.assign(bits=twins["bits"].astype(str).str.zfill(8))
    word = str(twins["word"].iloc[0]).zfill(16)
    _boxes(axes, 25.5, 9.5, word, ["sign", *["exponent"] * 8, *["fraction"] * 7])
    first, second = twins.to_dict("records")
    stays = f"bit set: {first['out']:g} stays"
    subtracted = f"bit not set: {second['out']:g} − {second['bias']:g} = {second['formula']:g}"
    for twin, y, y_result, colour, words in (
        (first, 17, 16.7, SET, stays),
        (second, 2, 5.3, UNSET, subtracted),
    ):
        _boxes(axes, 4.5, y, twin["bits"], ["sign", "one", *["fraction"] * 6])
        axes.text(3.6, y + 1.4, f"{twin['mantissa']}", ha="right", va="center", fontsize=9)
        _arrow(axes, (20.9, y + 1.5), (25.2, 11), "#555555")
        _arrow(axes, (57.8, 11), (60, y_result), colour)
        axes.text(62.5, y + 1.4, words, ha="right", va="center", fontsize=8.5,
                  weight="semibold", color=colour)  # fmt: skip
    muted: dict[str, Any] = {"fontsize": 7.5, "color": "#555555"}
    axes.text(4.5, 20.8, "mantissas: sign, one, fraction", **muted)
    axes.text(25.5, 13.5, "both pack into this BF16 word: sign, exponent, fraction", **muted)
    axes.text(25.5, 7.2, f"1.{word[9:]} in binary: the one in front is implied", **muted)
    alt = (
        f"Mantissas {first['mantissa']} ({first['bits']}) and {second['mantissa']} "
        f"({second['bits']}) both pack into the BF16 word {word}, which is {first['out']:g}. The "
        f"first keeps it; from the second {second['bias']:g} is subtracted, which leaves "
        f"{second['formula']:g}."
    )
    return Drawing(figure, alt)


def _arrow(axes: Axes, start: Point, end: Point, colour: object, style: str = "-|>") -> None:
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=7, color=colour))


def _boxes(axes: Axes, x: float, y: float, bits: str, fields: list[str]) -> None:
    for number, (bit, field) in enumerate(zip(bits, fields, strict=True)):
        left = x + 2.0 * number
        face = FIELDS[field]
        axes.add_patch(Rectangle((left, y), 2.0, 3.0, facecolor=face, edgecolor="white", lw=1.2))
        ink = "white" if field == "one" else "black"
        axes.text(left + 1.0, y + 1.4, bit, ha="center", va="center", fontsize=8, color=ink)


@FIGURES.figure_per_device("mxint8_formulas_wrong", "mxint8_formulas_wrong")
def draw_wrong(wrong: pd.DataFrame) -> Drawing:
    """Draw the pairs that the formula gets wrong among all pairs, by cause."""
    figure, axes = plt.subplots(figsize=(WIDTH, 1.7))
    words = []
    for cause, colour in CAUSES.items():
        pairs = wrong[wrong["cause"] == cause]
        axes.plot(
            pairs["exponent"], pairs["mantissa"], "s", color=colour, ms=2.4, mew=0, clip_on=False,
            label=f"{cause}: {len(pairs)}", zorder=3,
        )  # fmt: skip
        if 0 < len(pairs) < 10:
            axes.plot(pairs["exponent"], pairs["mantissa"], "o", mfc="none", mec=colour, ms=9,
                      clip_on=False)  # fmt: skip
        words.append(f"{cause}: {len(pairs)} pairs.")
    axes.set(xlim=(-3, 258), ylim=(-133, 132), xlabel="exponent", ylabel="mantissa")
    axes.set_xticks([0, 64, 128, 192, 255])
    axes.set_yticks([-128, -64, 0, 64, 127])
    axes.legend(loc="center", markerscale=2, handletextpad=0.2)
    return Drawing(figure, "Pairs decoded wrongly. " + " ".join(words))
