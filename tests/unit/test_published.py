"""Published numbers stand beside what was measured of the same quantity."""

import pandas as pd
import pytest

from labs.analysis import published
from labs.figures.published import draw_published

SPEEDUPS = {"A-speedup": "speedup", "C-speedup": "gain"}
DOCUMENT = {
    "statements": [
        {"id": "A-speedup", "values": [{"name": "speedup", "value": 1.5, "unit": "ratio"}]},
        {"id": "C-speedup", "values": [{"name": "gain", "value": 2, "unit": "ratio"}]},
        {"id": "C-accuracy", "values": [{"name": "accuracy", "value": 0.7, "unit": "share"}]},
    ],
    "compared": [
        {"lab": 3, "label": "log", "here": "log", "published": {"C-accuracy": "accuracy"}},
        {"lab": 4, "label": "compiled", "here": "speedup", "published": SPEEDUPS},
        {"lab": 4, "label": "on a GPU", "here": "gone", "published": {"A-speedup": "speedup"}},
    ],
}
VALUES = pd.DataFrame(
    [("speedup", 0.8, 0.7, 0.9, "ratio"), ("log", 0.83, 0.81, 0.85, "share")],
    columns=["name", "value", "low", "high", "unit"],
)


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.setattr(published, "_document", lambda: DOCUMENT)
    return published.compared(VALUES)


def test_a_row_has_what_was_published_and_what_was_measured(table: pd.DataFrame) -> None:
    found = table[["label", "value", "report", "published"]].to_numpy().tolist()
    compiled = [["compiled", 0.8, "A", 1.5], ["compiled", 0.8, "C", 2.0]]
    assert found == [["log", 0.83, "C", 0.7], *compiled]


def test_without_measurements_nothing_is_compared() -> None:
    assert published.compared(VALUES[:0]).columns.empty


def test_the_picture_is_described_by_its_numbers(table: pd.DataFrame) -> None:
    words = draw_published(table).alt
    assert "Lab 3, log: here 83, published C 70." in words
    assert "Lab 4, compiled: here 0.8, published A 1.5, C 2." in words


def test_one_kind_of_number_is_enough_for_the_picture(table: pd.DataFrame) -> None:
    assert "log" not in draw_published(table[table["unit"] == "ratio"]).alt
