"""What is contradicted was published about the same thing, at sizes that do not differ."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.analysis import published
from labs.claims.conditions import differing
from tests.report import quick
from tests.report.evidence import ON_CUDA, Inputs, claim, part, plain
from tests.shipped import SHIPPED, leaves

REPORT = quick.ROOT / "report"
PUBLISHED = yaml.safe_load((REPORT / "published.yaml").read_text("utf-8"))["statements"]

Row = dict[str, Any]


OF_ALL = {name: SHIPPED[name] for name in ("data", "model")}
SETTINGS = dict(leaves(SHIPPED["presets"]["quick"] | OF_ALL)).keys()


@pytest.fixture
def claims(folder: Path) -> list[Row]:
    found: list[Row] = json.loads((folder / "claims.json").read_text())
    return found


def test_every_contradiction_is_at_conditions_that_agree(claims: list[Row]) -> None:
    differ = {
        (one["id"], name, key): bool(differing(one["conditions"], published.conditions(name)))
        for one in claims
        for key in ("contradicts", "other_sizes")
        for name in one[key]
    }
    assert {key for _, _, key in differ} == {"contradicts", "other_sizes"}
    assert [found for found, does in differ.items() if does != (found[2] == "other_sizes")] == []


def test_claims_and_published_statements_name_settings_that_exist(claims: list[Row]) -> None:
    named = {name for one in (*claims, *PUBLISHED) for name in one.get("conditions", {})}
    assert named <= SETTINGS


OTHER = {
    "verdict": "refuted",
    "contradicts": [],
    "conditions": {"batch": 1},
    "other_sizes": {"A-slower": {"batch": [64, 128]}},
}


def test_a_statement_at_other_sizes_is_not_contradicted_and_what_differs_is_told() -> None:
    html = Inputs(claims=[claim(**OTHER), ON_CUDA]).render()
    assert "(published otherwise" not in html
    assert "published statement is contradicted" not in plain(html)
    assert "Against what is published" not in html
    words = plain(part(html, 'id="published-lab4-1a-A-slower"', "</tr>"))
    assert "It is so." in words
    assert "Other sizes: batch 64, 128; here 1" in words


def test_what_another_claim_contradicts_is_contradicted() -> None:
    both = {**OTHER, "contradicts": ["A-slower"], "other_sizes": {}}
    twice = "<p>{{ say('faster') }} {{ say('other') }}</p>"
    claims = [claim(**both), claim(**OTHER, id="other"), ON_CUDA]
    html = Inputs(claims=claims, compile=twice).render()
    words = plain(part(html, 'id="published-lab4-1a-A-slower"', "</tr>"))
    assert "refuted 1.27×" in words
    assert "Other sizes" not in words
