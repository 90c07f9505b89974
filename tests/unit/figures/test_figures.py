"""Figures are named once, found by the workflow, and drawn from the rows of their device."""

import json
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from labs.figures.figure import Drawing, Figures
from labs.setup.sources import names_given
from reporting.figures.registry import FIGURES
from tests.shipped import ROOT, modules_with

PROGRAM = "scripts/draw_figures.py"
RATES = pd.DataFrame({"device": ["cpu", "cpu", "cuda"], "rate": [1, 2, 3]})


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_every_module_that_draws_is_listed() -> None:
    modules = modules_with("FIGURES = Figures()", "reporting/figures")
    assert {figure.draw.__module__ for figure in FIGURES} == modules != set()


@pytest.mark.parametrize("decorator", ["figure", "figure_per_device"])
def test_the_workflow_finds_every_figure_in_the_sources(decorator: str) -> None:
    per_device = decorator == "figure_per_device"
    names = [figure.name for figure in FIGURES if figure.per_device == per_device]
    assert sorted(names_given(PROGRAM, decorator)) == sorted(names) != []


def test_names_are_unique_and_begin_with_the_module_or_folder() -> None:
    names = [figure.name for figure in FIGURES]
    assert len(names) == len(set(names))
    for figure in FIGURES:
        *_, folder, module = figure.draw.__module__.split(".")
        assert figure.name.startswith((folder, module)), figure.name


def test_every_table_drawn_from_is_made() -> None:
    made = {"published", *names_given("scripts/make_tables.py", "table")}
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


def test_a_figure_per_device_shows_the_rows_of_one_device() -> None:
    expected = {"each_cpu": "[1, 2]", "each_cuda": "[3]", "all": "[1, 2, 3]"}
    assert drawn(RATES, "cpu", "cuda") == expected


def test_an_absent_device_has_no_figure() -> None:
    assert drawn(RATES, "cpu") == {"each_cpu": "[1, 2]", "all": "[1, 2, 3]"}


def test_an_experiment_that_was_not_measured_has_a_figure_that_says_so() -> None:
    assert drawn(pd.DataFrame()) == {"all": "Not measured."}


def test_a_drawing_is_saved_with_its_alternative_text(tmp_path: Path) -> None:
    Drawing(Figure(), "Nothing but white.").save(tmp_path, "white")
    assert (tmp_path / "white.svg").read_text().endswith("</svg>\n")
    assert json.loads((tmp_path / "white.json").read_text()) == {"alt": "Nothing but white."}
