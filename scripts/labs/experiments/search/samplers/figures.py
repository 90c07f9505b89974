"""Figures of the search: how samplers compare, and what architectures are worth."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.search.drawn_curves import against_trials, curve
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import dots, name_rows
from labs.figures.style import COLOURS, WIDTH, rows_by

FIGURES = Figures()
ONE_SEED = "#9a9a9a"


@FIGURES.figure("search_samplers", "search_trials")
def draw_samplers(trials: pd.DataFrame) -> Drawing:
    """Draw the best accuracy so far, and that of each trial, by sampler, with their bands."""
    figure, (running, single) = plt.subplots(1, 2, figsize=(WIDTH, 1.8), sharey=True)
    words = []
    for place, (sampler, rows) in enumerate(rows_by(trials, "sampler")):
        curve(running, rows, "best", place, sampler)
        curve(single, rows, "accuracy", place, sampler)
        first, last = rows["best"].iloc[0], rows["best"].iloc[-1]
        words.append(
            f"{sampler}: best so far {first:.1%} after a trial and {last:.1%} after {len(rows)}, "
            f"single trials {rows['accuracy'].iloc[-1]:.1%} at the end."
        )
    running.set(title="best so far", ylabel="validation accuracy (%)")
    single.set(title="each trial")
    against_trials(running)
    against_trials(single)
    running.legend(loc="lower right")
    return Drawing(figure, " ".join(words))


@FIGURES.figure("search_superiority", "search_superiority")
def draw_superiority(table: pd.DataFrame) -> Drawing:
    """Draw how likely one sampler is ahead of another after each trial, with its interval."""
    figure, axes = plt.subplots(figsize=(WIDTH, 1.7))
    words = []
    for place, (pair, rows) in enumerate(rows_by(table, "pair")):
        curve(axes, rows, "probability", place, pair)
        words.append(f"{pair}: {rows['probability'].iloc[-1]:.0%} after {len(rows)} trials.")
    axes.axhline(50, color="black", lw=0.9, ls=":")
    against_trials(axes)
    axes.set(xlabel="trials", ylabel="searches ahead (%)")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return Drawing(figure, "How often the first is ahead, ties counted half. " + " ".join(words))


@FIGURES.figure("search_architectures", "search_architectures", "search_seeds", "search_noise")
def draw_architectures(
    architectures: pd.DataFrame, seeds: pd.DataFrame, noise: pd.DataFrame
) -> Drawing:
    """Draw each architecture's accuracy, the best on top, and every training seed on its own."""
    figure, axes = plt.subplots(figsize=(WIDTH, max(1.5, 0.6 + 0.118 * len(architectures))))
    label: str | None = "one training seed"
    for place, number in enumerate(architectures["number"]):
        each = seeds.loc[seeds["number"] == number, "accuracy"] * 100
        axes.plot(each, [place] * len(each), "|", color=ONE_SEED, ms=7, label=label)
        label = None
    low, high = noise["accuracy"].min() * 100, noise["accuracy"].max() * 100
    name = f"{noise['architecture'].iloc[0]}, {len(noise)} seeds: {low:.1f} to {high:.1f} %"
    axes.axvspan(low, high, color=COLOURS[1], alpha=0.2, lw=0, label=name)
    dots(axes, architectures, architectures["architecture"], "accuracy", 100)
    # A seed that learns nothing would leave the architectures no room.
    shown = architectures["accuracy_low"].min() * 100, architectures["accuracy_high"].max() * 100
    axes.set(xlabel="validation accuracy (%)", xlim=(shown[0] - 1, shown[1] + 1))
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2)
    rows = architectures[["architecture", "accuracy"]].values
    words = " ".join(f"{architecture}: {accuracy:.1%}." for architecture, accuracy in rows)
    return Drawing(figure, f"Accuracy on validation. {words} {name}.")


@FIGURES.figure("search_effects", "search_effects", "search_architectures")
def draw_effects(effects: pd.DataFrame, architectures: pd.DataFrame) -> Drawing:
    """Draw what each choice explains, and accuracy against parameters with its front."""
    figure, (bars, sizes) = plt.subplots(1, 2, figsize=(WIDTH, 1.75))
    words = []
    for place, (choice, rows) in enumerate(rows_by(effects, "choice")):
        share = rows["share"].mean()
        bars.barh(place, share * 100, height=0.6, color=COLOURS[0])
        bars.plot(rows["share"] * 100, [place] * len(rows), "|", color="black", ms=9)
        words.append(f"{choice}: {share:.0%} of the variance.")
    name_rows(bars, effects["choice"].unique())
    bars.set(title="what explains accuracy", xlabel="share of the variance (%)")
    millions, accuracy = architectures["parameters"] / 1e6, architectures["accuracy"] * 100
    sizes.plot(millions, accuracy, "o", ms=3.5, color=COLOURS[0])
    ordered = architectures.sort_values(["parameters", "accuracy"], ascending=[True, False])
    front = ordered[ordered["accuracy"] > ordered["accuracy"].cummax().shift(fill_value=0.0)]
    style = {"where": "post", "color": COLOURS[3], "lw": 1.1}
    sizes.step(front["parameters"] / 1e6, front["accuracy"] * 100, label="front", **style)
    sizes.set(title="accuracy against size", xlabel="parameters (millions)")
    sizes.set_ylabel("validation accuracy (%)")
    sizes.legend(loc="best")
    words.append(f"On the front: {', '.join(front['architecture'])}.")
    return Drawing(figure, " ".join(words))
