"""What is contradicted was published about the same thing, at sizes that do not differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.analysis import published
from labs.claims.conditions import differing
from reporting.evidence import Evidence
from reporting.html import Report
from tests.report import quick
from tests.report.evidence import ON_CUDA, Inputs, claim, plain

REPORT = quick.ROOT / "report"
PUBLISHED = yaml.safe_load((REPORT / "published.yaml").read_text("utf-8"))["statements"]
LAB_SIZES = yaml.safe_load((REPORT / "lab_sizes.yaml").read_text("utf-8"))
QUESTIONS = {row["id"] for row in yaml.safe_load((REPORT / "questions.yaml").read_text("utf-8"))}
CONFIG = yaml.safe_load((quick.ROOT / "config.yaml").read_text("utf-8"))

Row = dict[str, Any]


def paths(settings: Row, start: str = "") -> Iterator[str]:
    """The settings of a section by their paths."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from paths(value, f"{start}{name}.")
        else:
            yield start + name


SETTINGS = {*paths(CONFIG["presets"]["quick"]), *paths({k: CONFIG[k] for k in ("data", "model")})}


def unfair(claims: list[Row]) -> list[tuple[str, str]]:
    """The claims that contradict a statement whose conditions differ from theirs."""
    return [
        (one["id"], name)
        for one in claims
        for name in one["contradicts"]
        if differing(one["conditions"], published.conditions(name))
    ]


@pytest.fixture
def claims(folder: Path) -> list[Row]:
    found: list[Row] = json.loads((folder / "claims.json").read_text())
    return found


def test_every_contradiction_is_at_conditions_that_agree(claims: list[Row]) -> None:
    assert any(one["contradicts"] for one in claims)
    assert unfair(claims) == []


def test_a_contradiction_at_other_sizes_is_refused(claims: list[Row]) -> None:
    forced = next(one for one in claims if one["other_sizes"])
    name = next(iter(forced["other_sizes"]))
    forced["contradicts"].append(name)
    assert unfair(claims) == [(forced["id"], name)]


def test_the_front_pages_contradict_only_what_is_about_the_same_thing(
    claims: list[Row], evidence: Evidence
) -> None:
    conditions = {one["id"]: one["conditions"] for one in claims}
    chapters = Report(evidence, REPORT / "templates", "quick").chapters()
    told = [chapter.found.contradiction for chapter in chapters if chapter.found.contradiction]
    assert told
    for one in told:
        for statement in one.contradicts:
            assert not differing(conditions[one.id], published.conditions(statement.id))


def test_claims_name_settings_that_exist(claims: list[Row]) -> None:
    assert {name for one in claims for name in one["conditions"]} <= SETTINGS


@pytest.mark.parametrize("question", LAB_SIZES)
def test_lab_sizes_are_of_a_question_and_of_settings_that_exist(question: str) -> None:
    entry = LAB_SIZES[question]
    assert question in QUESTIONS
    assert entry.keys() == {"lab", "sizes", "check"}
    assert entry["sizes"].keys() <= SETTINGS


@pytest.mark.parametrize(
    "statement", [one for one in PUBLISHED if "conditions" in one], ids=lambda one: one["id"]
)
def test_published_conditions_are_of_settings_that_exist(statement: Row) -> None:
    assert statement["conditions"].keys() <= SETTINGS


OTHER = {
    "verdict": "refuted",
    "contradicts": [],
    "conditions": {"batch": 1},
    "other_sizes": {"A-slower": {"batch": [64, 128]}},
}


def test_a_statement_at_other_sizes_is_not_contradicted(tmp_path: Path) -> None:
    html = Inputs(claims=[claim(**OTHER), ON_CUDA]).render(tmp_path / "inputs")
    assert "(published otherwise" not in html
    assert "published statement is contradicted" not in plain(html)
    assert "Against what is published" not in html


def test_what_differs_is_told_below_the_answer(tmp_path: Path) -> None:
    html = Inputs(claims=[claim(**OTHER), ON_CUDA]).render(tmp_path / "inputs")
    row = html[html.index('<tr id="published-lab4-1a-A-slower"') :]
    words = plain("<body>" + row[: row.index("</tr>")])
    assert "It is so." in words
    assert "Other sizes: batch 64, 128; here 1" in words


def test_what_another_claim_contradicts_is_contradicted(tmp_path: Path) -> None:
    both = {**OTHER, "contradicts": ["A-slower"], "other_sizes": {}}
    twice = "<p>{{ say('faster') }} {{ say('other') }}</p>"
    inputs = Inputs(
        claims=[claim(**both), claim(**OTHER, id="other"), ON_CUDA],
        answers=Inputs().answers | {"compile.html.j2": twice},
    )
    html = inputs.render(tmp_path / "inputs")
    row = html[html.index('<tr id="published-lab4-1a-A-slower"') :]
    words = plain("<body>" + row[: row.index("</tr>")])
    assert "refuted 1.27×" in words
    assert "Other sizes" not in words
