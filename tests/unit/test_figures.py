"""Figures are named once, found by the workflow, drawn of their device, and titled by point."""

import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from labs.figures import published
from labs.figures.figure import Drawing, Figures
from labs.figures.points import svg
from labs.figures.style import move_aside
from labs.setup.discovery import listed, modules
from tests.shipped import modules_with

FIGURES = [figure for module in (published, *modules("figures")) for figure in module.FIGURES]
RATES = pd.DataFrame({"device": ["cpu", "cpu", "cuda"], "rate": [1, 2, 3]})


def test_every_module_that_draws_is_found() -> None:
    found = {module.__name__ for module in (published, *modules("figures"))}
    assert found == modules_with("FIGURES = Figures()", "labs") != set()


@pytest.mark.parametrize("constant", ["FIGURES", "FIGURES_PER_DEVICE"])
def test_the_workflow_finds_the_names_of_all_figures(constant: str) -> None:
    per_device = constant == "FIGURES_PER_DEVICE"
    drawn = [figure.name for figure in FIGURES if figure.per_device == per_device]
    of_all = ["published"] if not per_device else []
    assert sorted([*of_all, *listed(constant)]) == sorted(drawn) != []


def test_every_table_drawn_from_is_made() -> None:
    made = {"published", *listed("TABLES")}
    assert {name for figure in FIGURES for name in figure.tables} <= made


def drawn(table: pd.DataFrame, *devices: str) -> dict[str, str]:
    """The alternative texts of two figures of a table, by file: each lists the rates it shows."""
    figures = Figures()

    @figures.figure("all", "rates")
    @figures.figure_per_device("each", "rates")
    def draw(rates: pd.DataFrame) -> Drawing:
        return Drawing(Figure(), str(list(rates["rate"])))

    return {
        name: drawing.alt
        for figure in figures
        for name, drawing in figure.drawings({"rates": table}, devices)
    }


def test_a_figure_per_device_shows_the_rows_of_one_device_that_is_there() -> None:
    expected = {"each_cpu": "[1, 2]", "each_cuda": "[3]", "all": "[1, 2, 3]"}
    assert drawn(RATES, "cpu", "cuda") == expected
    assert drawn(RATES, "cpu") == {"each_cpu": "[1, 2]", "all": "[1, 2, 3]"}


def test_an_experiment_that_was_not_measured_has_a_figure_that_says_so() -> None:
    assert drawn(pd.DataFrame()) == {"all": "Not measured."}


def test_a_drawing_is_saved_with_its_alternative_text(tmp_path: Path) -> None:
    Drawing(Figure(), "Nothing but white.").save(tmp_path, "white")
    assert (tmp_path / "white.svg").read_text().endswith("</svg>\n")
    assert json.loads((tmp_path / "white.json").read_text()) == {"alt": "Nothing but white."}


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
