"""The figure of SFT against LoRA."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import dots
from labs.figures.style import WIDTH

FIGURES = Figures()
ONE_SEED = "#9a9a9a"


@FIGURES.figure("lora_accuracy", "lora_arms", "lora_seeds")
def draw_accuracy(arms: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw each arm's accuracy with its interval over the reviews, and that of every seed."""
    figure, axes = plt.subplots(figsize=(WIDTH, 0.45 + 0.17 * len(arms)))
    words = []
    for place, (_, row) in enumerate(arms.iterrows()):
        each = seeds.loc[seeds["arm"] == row["arm"], "accuracy"]
        label = "one seed" if place == 0 else None
        axes.plot(each * 100, [place + 0.22] * len(each), "|", color=ONE_SEED, ms=7, label=label)
        words.append(
            f"{row['arm']}: {row['accuracy']:.1%}, seeds from {each.min():.1%} to {each.max():.1%}."
        )
    dots(axes, arms, arms["arm"], "accuracy", 100)
    axes.set(xlabel="accuracy on the test reviews (%)")
    axes.legend(loc="lower left")
    return Drawing(figure, "Accuracy on the test reviews. " + " ".join(words))
