"""The mixed-precision searches run by hand on made-up reviews, and end the same after a kill."""

import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from labs.experiments.precision.names import COST
from labs.models import classifiers
from labs.records.reading import read
from tests import made_up
from tests.jobs import programs
from tests.jobs.programs import evaluations, finish, kill

SIZES = shlex.split(
    "--max-length 16 --held-out 40 --trial-reviews 32 --reviews 32 --batch-size 16 "
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


def start(data: Path, folder: Path, *more: str) -> subprocess.Popen[str]:
    files = ["--tokens", data / "tokens.parquet", "--model", data / "model.safetensors"]
    files += ["--studies", folder / "studies", "--output", folder / "cost.json"]
    return programs.start("search_precisions.py", "--part", COST, *SIZES, *files, *more)


def search(data: Path, folder: Path, *more: str) -> dict[str, Any]:
    finish(start(data, folder, *more))
    return read(folder / "cost.json")


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a search has ended that nobody killed."""
    folder = tmp_path_factory.mktemp("searched")
    search(data, folder)
    return folder


def test_a_search_that_is_repeated_judges_nothing_again(folder: Path, data: Path) -> None:
    before = read(folder / "cost.json")
    kept = evaluations(folder)
    assert search(data, folder)["facts"] == before["facts"]
    assert evaluations(folder) == kept


@pytest.mark.parametrize("number", [1, 5])
def test_a_search_that_is_killed_begins_again_and_ends_the_same(
    number: int, folder: Path, data: Path, tmp_path: Path
) -> None:
    process = start(data, tmp_path)
    kill(process, lambda: len(evaluations(tmp_path)) >= number)
    kept = evaluations(tmp_path)
    assert search(data, tmp_path)["facts"] == read(folder / "cost.json")["facts"]
    assert kept.items() <= evaluations(tmp_path).items(), "judged again"


def test_another_seed_searches_anew(folder: Path, data: Path) -> None:
    kept = evaluations(folder)
    before = read(folder / "cost.json")
    again = search(data, folder, "--seed", "7")
    assert again["facts"] != before["facts"]
    assert evaluations(folder).keys() > kept.keys()
