"""What was published stands beside what was measured, and is held only against its like."""

from typing import Any

import pandas as pd
import pytest

from labs.analysis import published
from labs.analysis.values import Values
from labs.claims.conditions import differing, held
from labs.claims.rules import Rules
from labs.figures.published import draw_published
from labs.records.quantity import counted

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


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.setattr(published, "_document", lambda: DOCUMENT)
    return published.compared(VALUES)


def test_a_row_has_what_was_published_and_what_was_measured(table: pd.DataFrame) -> None:
    found = table[["label", "value", "report", "published"]].to_numpy().tolist()
    compiled = [["compiled", 0.8, "A", 1.5], ["compiled", 0.8, "C", 2.0]]
    assert found == [["log", 0.83, "C", 0.7], *compiled]


@pytest.mark.usefixtures("table")
def test_without_measurements_nothing_is_compared() -> None:
    assert published.compared(VALUES[:0]).columns.empty


def test_the_picture_is_described_by_its_numbers(table: pd.DataFrame) -> None:
    words = draw_published(table).alt
    assert "Lab 3, log: here 83, published C 70." in words
    assert "Lab 4, compiled: here 0.8, published A 1.5, C 2." in words
    assert "log" not in draw_published(table[table["unit"] == "ratio"]).alt


SHAPE = [32, 8, 128, 64]


@pytest.mark.parametrize(
    ("claim", "statement", "differs"),
    [
        ({}, {}, False),
        ({"dtype": "float16"}, {"dtype": "float16"}, False),
        ({"dtype": "float32"}, {"dtype": "float16"}, True),
        # What one side does not name decides nothing.
        ({"dtype": "float32"}, {}, False),
        ({"dtype": "float32"}, {"reviews": "all"}, False),
        # Of several things that were run, a claim may be about one.
        ({"sparsity": 0.1}, {"sparsity": [0.1, 0.5]}, False),
        ({"sparsity": 0.2}, {"sparsity": [0.1, 0.5]}, True),
        ({"reviews": 2048}, {"reviews": "all"}, True),
        # A list on both sides is one value.
        ({"shape": SHAPE}, {"shape": SHAPE}, False),
        ({"shape": SHAPE[:2]}, {"shape": SHAPE}, True),
        # One that differs is enough.
        ({"dtype": "float16", "shape": [1]}, {"dtype": ["float16"], "shape": SHAPE}, True),
    ],
)
def test_conditions_that_both_name_have_to_agree(
    claim: dict[str, Any], statement: dict[str, Any], differs: bool
) -> None:
    assert bool(differing(claim, statement)) == differs


def test_what_differs_is_told_as_it_was_published() -> None:
    claim = {"dtype": "float32", "shape": SHAPE}
    statements: dict[str, dict[str, Any]] = {
        "same": {"shape": SHAPE},
        "other": {"dtype": ["float16"], "shape": SHAPE},
    }
    assert held(claim, statements) == (["same"], {"other": {"dtype": ["float16"]}})


def test_a_statement_is_at_the_labs_sizes_but_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = [
        {"id": "plain", "question": "lab1-1"},
        {"id": "own", "question": "lab1-1", "conditions": {"epochs": 4}},
        {"id": "nowhere", "question": "lab4-3b"},
    ]
    sizes = {"lab1-1": {"lab": "It trained.", "sizes": {"epochs": 1, "reviews": "all"}}}
    monkeypatch.setattr(published, "_document", lambda: {"statements": statements})
    monkeypatch.setattr(published, "_sizes", lambda: sizes)
    assert published.conditions("plain") == {"epochs": 1, "reviews": "all"}
    assert published.conditions("own") == {"epochs": 4, "reviews": "all"}
    assert published.conditions("nowhere") == {}


def test_rules_name_the_settings_of_their_record_and_the_point_of_a_sweep() -> None:
    spec = {"shape": SHAPE, "max_length": 128}
    record = {"status": "measured", "device": "cpu", "spec": spec}
    claim = Rules(record, Values({"made.up": counted(1)}), "made", "a question")
    here = claim.at("", "max_length").at("fusion", "shape", sweep_batch=4)
    (rule, plain) = (one.rule("one", "It is one.", one.equals("up", 1)) for one in (here, claim))
    assert rule().conditions == {"max-length": 128, "fusion.shape": SHAPE, "fusion.sweep-batch": 4}
    assert plain().conditions == {}


def test_a_record_of_an_absent_device_names_only_the_point_of_a_sweep() -> None:
    record = {"status": "not measured: none", "device": "cuda"}
    claim = Rules(record, Values({}), "made", "a question")
    here = claim.at("fusion", "shape", dtypes="float16")
    rule = here.rule("one", "It is one.", here.equals("up", 1))
    assert rule.statement.conditions == {"fusion.dtypes": "float16"}
