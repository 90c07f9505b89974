"""Figures of Lab 3: searches among number formats, the formats that they choose, and the bits."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from labs.experiments.precision.names import ALL, COST, COST_FORMAT, EACH, PAIRS
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import name_rows
from labs.figures.style import COLOURS, HATCHES, WHOLE, WIDTH, rows_by

FIGURES = Figures()
STYLES = ("-", "--", ":", "-.")
MARKERS = ("s", "o", "^", "D", "v", "P", "X")
BASELINE = "#6a6a6a"
ACCURACY = "validation accuracy (%)"
DARK = 10
"""Cells of more bits than this are so dark that their text is white."""

SHORT = {"minifloat": "mf", "integer": "int", "_scaling": "+", "residual_sign": "res. sign"}
"""Formats as their cells show them."""

FRONT = {"nsga2": "NSGA-II", "tpe": "TPE", "random": "random"}


@FIGURES.figure("precision_pairs", "precision_trials", "precision_pairs")
def draw_pairs(trials: pd.DataFrame, pairs: pd.DataFrame) -> Drawing:
    """Draw the searches of question 3.1, and the models that have one pair in all layers."""
    figure, (running, alone) = plt.subplots(1, 2, figsize=(WIDTH, 1.8), sharey=True)
    words = _draw_searches(running, trials[trials["part"] == PAIRS])
    running.legend(loc="lower right")
    for place, (fraction, rows) in enumerate(rows_by(pairs, "fraction")):
        x, label = np.arange(len(rows)) + (place - 1) * 0.22, f"{fraction} fractional bits"
        _draw_shares(alone, x, rows, "accuracy", place, label=label)
        shares = ", ".join(f"{share:.1%}" for share in rows["accuracy"])
        words.append(f"{label} in all layers, widths {list(rows['width'])}: {shares}.")
    alone.set(title="one pair in all layers", xlabel="width (bits)")
    alone.set_xticks(range(3), [str(width) for width in sorted(set(pairs["width"]))])
    alone.legend(loc="center right")
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_formats", "precision_trials")
def draw_formats(trials: pd.DataFrame) -> Drawing:
    """Draw the best accuracy so far of each format's search."""
    figure, axes = plt.subplots(figsize=(WIDTH, 1.85))
    words = _draw_searches(axes, trials[trials["part"] == EACH])
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7, labelspacing=0.2)
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_widths", "precision_widths")
def draw_widths(table: pd.DataFrame) -> Drawing:
    """Draw accuracy and loss against the width that all layers have, by format."""
    figure, (accuracy, loss) = plt.subplots(1, 2, figsize=(WHOLE, 1.9))
    words = []
    for place, (name, rows) in enumerate(rows_by(table.dropna(subset="width"), "format")):
        style = {"ms": 3.5, **_style(place)}
        accuracy.plot(rows["width"], rows["accuracy"] * 100, label=name, **style)
        loss.plot(rows["width"], rows["loss"], **style)
        pairs = zip(rows["width"], rows["accuracy"], strict=True)
        words.append(f"{name}: {', '.join(f'{int(w)} bits {a:.1%}' for w, a in pairs)}.")
    (plain,) = table[table["format"] == "float32"].to_dict("records")
    accuracy.axhline(plain["accuracy"] * 100, color=BASELINE, lw=0.9, ls=":", label="float32")
    loss.axhline(plain["loss"], color=BASELINE, lw=0.9, ls=":")
    accuracy.set(title="accuracy", xlabel="width (bits)", ylabel=ACCURACY)
    loss.set(title="loss", xlabel="width (bits)", ylabel="loss (bits per review)")
    # Some formats without training are so wrong that they would hide the others.
    loss.set_ylim(plain["loss"] * 0.8, max(1.2, plain["loss"] * 2))
    figure.legend(loc="outside right center")
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_all", "precision_trials", "precision_layers")
def draw_all(trials: pd.DataFrame, layers: pd.DataFrame) -> Drawing:
    """Draw the searches among all formats, and how many layers of their winners have each."""
    figure, (running, types) = plt.subplots(1, 2, figsize=(WIDTH, 2.2))
    words = _draw_searches(running, trials[trials["part"] == ALL])
    running.legend(loc="lower right")
    chosen = layers[layers["part"] == ALL]
    counts = pd.crosstab(chosen["spelled"].str.split(" ").str[0], chosen["study"])
    counts = counts.loc[counts.sum(axis=1).sort_values(ascending=False).index]
    places = np.arange(len(counts))
    for place, study in enumerate(counts):
        bars = places + (place - 0.5) * 0.38
        style = {"color": COLOURS[place], "hatch": HATCHES[place], "lw": 0}
        types.barh(bars, counts[study], height=0.36, label=study, **style)
        layers_of = ", ".join(f"{n} {name}" for name, n in counts[study].items() if n)
        words.append(f"Layers of the winner of {study}: {layers_of}.")
    name_rows(types, counts.index)
    types.xaxis.set_major_locator(MaxNLocator(integer=True))
    types.set(title="types of the winners' layers", xlabel="layers")
    figure.legend(*types.get_legend_handles_labels(), loc="outside lower right", ncols=2)
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_layers", "precision_layers")
def draw_layers(layers: pd.DataFrame) -> Drawing:
    """Draw the format of each layer in the winners of the searches, but for those of one format."""
    grid = layers[layers["part"] != EACH].pivot_table(
        "spelled", "layer", "study", aggfunc="first", sort=False
    )
    figure, axes = plt.subplots(figsize=(WHOLE, 0.5 + 0.135 * len(grid)))
    bits = grid.map(_width_of).to_numpy(dtype=float)
    axes.imshow(np.log2(bits), cmap="YlGnBu", vmin=0, vmax=6, aspect="auto")
    _label_cells(axes, grid.replace(SHORT, regex=True), bits > DARK, fontsize=5.2)
    studies = [str(name).replace(", ", "\n").replace(" ", "\n") for name in grid]
    axes.set_xticks(range(grid.shape[1]), studies, fontsize=6)
    words = [f"{study}: {', '.join(grid[study])}." for study in grid]
    return Drawing(figure, "Formats of the layers, in the model's order. " + " ".join(words))


@FIGURES.figure("precision_fronts", "precision_fronts", "precision_volumes", "precision_widths")
def draw_fronts(fronts: pd.DataFrame, volumes: pd.DataFrame, widths: pd.DataFrame) -> Drawing:
    """Draw the trials of the searches by two objectives, their fronts, and what these dominate."""
    figure, (points, growth) = plt.subplots(1, 2, figsize=(WIDTH, 1.8))
    words = []
    for place, (sampler, rows) in enumerate(rows_by(fronts, "sampler")):
        colour, name = COLOURS[(0, 2, 3)[place]], FRONT[sampler]
        points.plot(rows["bits"], rows["accuracy"] * 100, MARKERS[place], ms=2.5, color=colour)
        best = rows[rows["on_front"]].sort_values("bits")
        points.step(best["bits"], best["accuracy"] * 100, where="post", color=colour, label=name)
        area = volumes[volumes["sampler"] == sampler]
        growth.plot(area["trial"], area["volume"] * 100, STYLES[place], color=colour, label=name)
        words.append(
            f"{name}: front from {best['bits'].min():.2f} bits, {best['accuracy'].min():.1%}, to "
            f"{best['bits'].max():.2f} bits, {best['accuracy'].max():.1%}; "
            f"{area['volume'].iloc[-1]:.1%} of the area."
        )
    same = widths[(widths["format"] == COST_FORMAT) & widths["width"].notna()]
    points.plot(same["bits"], same["accuracy"] * 100, "kx", ms=4.5, label="one width")
    near = pd.concat([fronts["accuracy"], same["accuracy"]]) * 100
    points.set_ylim(max(near.min(), near.max() - 12) - 0.5, near.max() + 0.5)
    points.set(title="trials and fronts", xlabel="average bits", ylabel=ACCURACY)
    growth.set(title="hypervolume", xlabel="trial", ylabel="dominated area (%)")
    growth.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(*points.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_cost", "precision_trials", "precision_shared")
def draw_cost(trials: pd.DataFrame, shared: pd.DataFrame) -> Drawing:
    """Draw the penalized searches, and their winners beside models of as many bits."""
    figure, (running, held) = plt.subplots(1, 2, figsize=(WHOLE, 1.6))
    penalized = trials[(trials["part"] == COST) & ~trials["study"].isin(FRONT)]
    words = _draw_searches(running, penalized, "best_objective")
    running.set(title="accuracy minus lambda times bits", ylabel="best so far (%)")
    running.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    for place, (way, rows) in enumerate(rows_by(shared, "way")):
        _draw_shares(held, rows["bits"], rows, "ahead", place, label=way, lw=0.9)
        pairs = zip(rows["bits"], rows["ahead"], strict=True)
        words.append(f"{way}: {', '.join(f'{b:.2f} bits {a:+.2%}' for b, a in pairs)}.")
    held.set(title="the winners, and as many bits shared out", xlabel="average bits")
    held.set_ylabel("ahead of float32 (points)")
    held.axhline(0, color=BASELINE, lw=0.9, ls=":")
    held.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return Drawing(figure, " ".join(words))


@FIGURES.figure("precision_scores", "precision_scores")
def draw_scores(scores: pd.DataFrame) -> Drawing:
    """Draw how much the loss rises with one layer alone in each width."""
    grid = scores.pivot_table("direct", "layer", "width", sort=False)
    figure, axes = plt.subplots(figsize=(WIDTH, 0.5 + 0.135 * len(grid)))
    most = float(np.abs(grid.to_numpy()).max())
    image = axes.imshow(grid, cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")
    texts = grid.map("{:+.3f}".format)
    _label_cells(axes, texts, grid.abs().to_numpy() > 0.6 * most, fontsize=5.5)
    axes.set_xticks(range(grid.shape[1]), [str(width) for width in grid])
    axes.set_xlabel("width of the layer (bits)")
    figure.colorbar(image, label="rise of the loss (bits per review)")
    words = [f"{layer}: {score}." for layer, score in texts.iloc[:, 0].items()]
    return Drawing(figure, f"Rise of the loss at {grid.columns[0]} bits. " + " ".join(words))


def _style(place: int) -> dict[str, Any]:
    cycles = {"color": COLOURS, "marker": MARKERS, "ls": STYLES}
    return {key: values[place % len(values)] for key, values in cycles.items()}


def _draw_searches(axes: Axes, trials: pd.DataFrame, column: str = "best") -> list[str]:
    """Draw the best so far of each search, in percent; return what the lines say."""
    words = []
    for place, (study, rows) in enumerate(rows_by(trials, "study")):
        axes.plot(rows["trial"], rows[column] * 100, ms=2.8, lw=1.1, label=study, **_style(place))
        first, last = rows[column].iloc[0], rows[column].iloc[-1]
        words.append(f"{study}: {first:.1%} after a trial, {last:.1%} after {len(rows)}.")
    axes.set(title="best so far", xlabel="trial", ylabel=ACCURACY)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return words


def _draw_shares(
    axes: Axes, x: ArrayLike, rows: pd.DataFrame, column: str, place: int, **style: Any
) -> None:
    """Draw shares with their intervals, in percent, in the colour and with the mark of a place."""
    low, high = rows[f"{column}_low"], rows[f"{column}_high"]
    reach = [(rows[column] - low) * 100, (high - rows[column]) * 100]
    style |= {**_style(place), "ls": "", "ms": 4}
    axes.errorbar(x, rows[column] * 100, yerr=reach, **style)


def _label_cells(axes: Axes, texts: pd.DataFrame, dark: NDArray[np.bool_], fontsize: float) -> None:
    """Write a text into each cell of an image, and the layers beside its rows."""
    for (row, column), text in np.ndenumerate(texts.to_numpy()):
        colour = "white" if dark[row, column] else "black"
        axes.text(column, row, text, ha="center", va="center", fontsize=fontsize, color=colour)
    axes.set_yticks(range(len(texts)), list(texts.index), fontsize=6.5)
    axes.grid(visible=False)


def _width_of(spelled: str) -> float:
    name, _, width = spelled.partition(" ")
    plain = {"float32": 32.0, "binary": 1.0, "binary_scaling": 1.0, "residual_sign": 2.0}
    return float(width.split(":")[0]) if width else plain.get(name, 8.0)
