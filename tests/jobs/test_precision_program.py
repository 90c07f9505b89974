"""The mixed-precision searches run by hand on made-up reviews, and end the same after a kill."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
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


def start(data: Path, folder: Path, part: str, *more: str) -> subprocess.Popen[str]:
    """The search of a part, which runs."""
    files = ["--tokens", data / "tokens.parquet", "--model", data / "model.safetensors"]
    files += ["--studies", folder / "studies", "--output", folder / f"{part}.json"]
    return subprocess.Popen(
        [sys.executable, "scripts/search_precisions.py", "--part", part]
        + [*SIZES, *map(str, files), *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def search(data: Path, folder: Path, part: str, *more: str) -> dict[str, Any]:
    """The record of a part."""
    process = start(data, folder, part, *more)
    said = process.communicate()[0]
    assert process.returncode == 0, said
    return read(folder / f"{part}.json")


def judged(folder: Path) -> dict[Path, int]:
    """The evaluations of searches, each with the time at which it was written."""
    found = (folder / "studies" / "evaluations").glob("*.json")
    return {path: path.stat().st_mtime_ns for path in found}


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
    kept = judged(folder)
    assert search(data, folder, COST)["facts"] == before["facts"]
    assert judged(folder) == kept


@pytest.mark.parametrize("evaluations", [1, 5])
def test_a_search_that_is_killed_begins_again_and_ends_the_same(
    evaluations: int, folder: Path, data: Path, tmp_path: Path
) -> None:
    process = start(data, tmp_path, COST)
    while len(judged(tmp_path)) < evaluations and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    assert process.wait() < 0, "it ended before it was killed"
    kept = judged(tmp_path)
    assert search(data, tmp_path, COST)["facts"] == read(folder / f"{COST}.json")["facts"]
    assert kept.items() <= judged(tmp_path).items(), "judged again"


def test_another_seed_searches_anew(folder: Path, data: Path) -> None:
    kept = judged(folder)
    before = read(folder / f"{COST}.json")
    again = search(data, folder, COST, "--seed", "7")
    assert again["facts"] != before["facts"]
    assert judged(folder).keys() > kept.keys()
