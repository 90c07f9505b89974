"""The mixed-precision searches run by hand on made-up reviews, and judge nothing twice."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from labs.analysis.precision import cost, searched, uniform
from labs.claims.judge import claims_of
from labs.models import classifiers
from labs.records.gathering import gathered
from labs.records.names.precision import COST, PARTS
from labs.records.reading import read
from tests import made_up

ROOT = Path(__file__).parents[2]
SIZES = shlex.split(
    "--max-length 16 --held-out 40 --trial-reviews 20 --reviews 32 --batch-size 16 "
    "--learning-rate 0.001 --trials 3 --startup 2 --finalists 2 --widths 3 8 "
    "--penalties 0.001 0.01 --replicate 0 --device cpu --threads 1"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tokenized reviews and a model that knows nothing."""
    folder = tmp_path_factory.mktemp("data")
    made_up.tokens(folder, 400)
    classifiers.save(classifiers.bert_tiny(0), folder / "model.safetensors")
    return folder


def search(data: Path, folder: Path, part: str, *more: str) -> tuple[dict[str, Any], str]:
    """The record of a part, and what its program said."""
    files = ["--tokens", data / "tokens.parquet", "--model", data / "model.safetensors"]
    files += ["--studies", folder / "studies", "--output", folder / f"{part}.json"]
    done = subprocess.run(
        [sys.executable, "scripts/search_precisions.py", "--part", part]
        + [*SIZES, *map(str, files), *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return read(folder / f"{part}.json"), done.stdout


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all parts have been searched."""
    folder = tmp_path_factory.mktemp("searched")
    for part in PARTS:
        search(data, folder, part)
    return folder


def test_the_parts_make_one_record_whose_every_claim_is_judged(folder: Path) -> None:
    record = gathered([read(folder / f"{part}.json") for part in PARTS])
    assert {claim.verdict for claim in claims_of(record)} <= {"confirmed", "refuted", "undecided"}
    for analysis in (searched.ANALYSIS, uniform.ANALYSIS, cost.ANALYSIS):
        for name, table in analysis.tables.items():
            assert not table(record).empty, name


def test_a_search_that_is_repeated_judges_nothing_again(folder: Path, data: Path) -> None:
    before = read(folder / f"{COST}.json")
    kept = sorted((folder / "studies" / "evaluations").iterdir())
    again, said = search(data, folder, COST)
    assert again["facts"] == before["facts"]
    assert sorted((folder / "studies" / "evaluations").iterdir()) == kept
    assert "trial" not in said


def test_another_seed_searches_anew(folder: Path, data: Path) -> None:
    kept = len(list((folder / "studies").glob("*.journal")))
    before = read(folder / f"{COST}.json")
    again, _ = search(data, folder, COST, "--seed", "7")
    assert again["facts"] != before["facts"]
    assert len(list((folder / "studies").glob("*.journal"))) > kept
