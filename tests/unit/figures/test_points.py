"""Every point of a figure has its values as a title, which browsers show."""

import re

import matplotlib.pyplot as plt
import numpy as np

from labs.figures.points import svg
from labs.figures.style import move_aside


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


def test_a_point_near_a_tick_of_numbers_has_its_own_value() -> None:
    figure, axes = plt.subplots()
    axes.plot([8, -127], [0, 1], "o")
    axes.set_xticks([8, -128])
    assert titles(svg(figure)) == ["8; 0", "-127; 1"]


def test_a_point_of_a_category_has_the_label_of_its_tick() -> None:
    figure, axes = plt.subplots()
    axes.plot([5, 6], [0, 1.2], "o")
    axes.set_yticks([0, 1], ["naive", "fused"])
    assert titles(svg(figure)) == ["5; naive", "6; fused"]


def test_points_that_are_moved_aside_keep_their_values_and_the_limits() -> None:
    figure, axes = plt.subplots()
    move_aside(axes, axes.plot([4, 400], [1, 2], "o"), 3.0)
    assert titles(svg(figure)) == ["4; 1", "400; 2"]
    assert axes.get_xlim()[1] > 400


def test_where_a_line_leaves_the_figure_is_no_point() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3], [1, 1e6, 1.5], "o-")
    axes.set_ylim(0, 2)
    assert titles(svg(figure)) == ["1; 1", "3; 1.5"]
