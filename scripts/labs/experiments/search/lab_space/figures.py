"""The figure of the searches on the lab's whole space."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.search.drawn_curves import STYLES, against_trials
from labs.figures.figure import Drawing, Figures, draw_absence
from labs.figures.style import COLOURS, WIDTH, rows_by

FIGURES = Figures()


@FIGURES.figure("search_lab_space", "search_lab_space")
def draw_lab_space(table: pd.DataFrame) -> Drawing:
    """Draw the best accuracy so far against trials and processor time, each seed a line."""
    if table.empty:
        return draw_absence()
    figure, (by_trial, by_time) = plt.subplots(1, 2, figsize=(WIDTH, 2.0), sharey=True)
    words = []
    for place, (sampler, searches) in enumerate(rows_by(table, "sampler")):
        style = {"ls": STYLES[place], "color": COLOURS[(2, 3)[place]], "lw": 1.1}
        for seed, rows in rows_by(searches, "replicate"):
            best = rows["best"] * 100
            by_trial.plot(rows["trial"], best, **style)
            by_trial.plot(rows["trial"], rows["accuracy"] * 100, ".", color=style["color"], ms=2)
            by_time.plot(rows["core_seconds"] / 60, best, **style)
            words.append(
                f"{sampler}, seed {seed}: {best.iloc[-1]:.1f} % after {len(rows)} trials and "
                f"{rows['core_seconds'].iloc[-1] / 60:.1f} minutes."
            )
        by_time.plot([], [], label=sampler, **style)
    against_trials(by_trial)
    by_trial.set_ylabel("best accuracy so far (%)")
    by_time.set_xlabel("processor time (minutes)")
    by_time.legend(loc="lower right")
    return Drawing(figure, "Best accuracy so far. " + " ".join(words))
