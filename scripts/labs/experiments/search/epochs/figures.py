"""The figure of the winner that is trained for more epochs: losses and accuracy."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, WIDTH, rows_by

FIGURES = Figures()
STYLES = ("-", "--", "-.", ":", (0, (1, 3)))


@FIGURES.figure(
    "search_epochs", "search_epochs_training", "search_epochs_validation", "search_epochs_lowest"
)
def draw_epochs(training: pd.DataFrame, validation: pd.DataFrame, lowest: pd.DataFrame) -> Drawing:
    """Draw each seed's training loss by step, and its validation loss and accuracy."""
    figure, (losses, accuracy) = plt.subplots(1, 2, figsize=(WIDTH, 1.85))
    for _, rows in rows_by(training, "replicate"):
        losses.plot(rows["epochs"], rows["loss"], color=COLOURS[0], lw=0.6, alpha=0.5)
    losses.plot([], [], color=COLOURS[0], lw=0.6, label="training, each step")
    words = []
    for place, (seed, rows) in enumerate(rows_by(validation, "replicate")):
        style = {"ls": STYLES[place % len(STYLES)], "color": COLOURS[3]}
        losses.plot(rows["epochs"], rows["loss"], label=f"validation, seed {seed}", **style)
        accuracy.plot(rows["epochs"], rows["accuracy"] * 100, **style)
        words.append(
            f"Seed {seed}: validation loss {rows['loss'].iloc[-1]:.2f} bits and accuracy "
            f"{rows['accuracy'].iloc[-1]:.1%} at the end, at most {rows['accuracy'].max():.1%}."
        )
    for seed, epochs in lowest[["replicate", "epochs"]].values:
        losses.axvline(epochs, color=COLOURS[3], lw=0.8, ls=":")
        words.append(f"Seed {seed:.0f}: lowest validation loss after {epochs:.1f} epochs.")
    losses.set(xlabel="epochs", ylabel="loss (bits per review)", title="loss")
    accuracy.set(xlabel="epochs", ylabel="validation accuracy (%)", title="accuracy")
    figure.legend(*losses.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return Drawing(figure, " ".join(words))
