"""Every point of a figure has its values as a title, which browsers show."""

import re

import matplotlib.pyplot as plt
import numpy as np

from reporting.figures.points import svg


def titles(drawn: str) -> list[str]:
    return re.findall(r"<use [^>]*><title>([^<]*)</title></use>", drawn)


def test_points_say_their_series_and_their_values_by_the_names_of_the_axes() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2], [82.5, 0.031], "o", label="PTQ")
    axes.set(xlabel="epochs", ylabel="loss")
    assert titles(svg(figure)) == ["PTQ; epochs 1; loss 82.5", "PTQ; epochs 2; loss 0.031"]


def test_what_is_not_drawn_and_lines_without_marks_have_none() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3], [1, np.nan, 3], "o")
    axes.plot([1, 2], [1, 2])
    axes.plot([], [], "o", label="only in the legend")
    assert titles(svg(figure)) == ["1; 1", "3; 3"]


def test_at_given_ticks_points_have_the_labels_of_the_ticks() -> None:
    figure, axes = plt.subplots()
    axes.plot([3.9, 8.1], [0, 1], "o")
    axes.set_xticks([4, 8])
    axes.set_yticks([0, 1], ["naive", "fused"])
    assert titles(svg(figure)) == ["4; naive", "8; fused"]
