"""The programs that search run by hand on made-up reviews, and end the same after a kill."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from labs.experiments.precision.names import COST
from labs.experiments.search.names import RETRAINED, TRIAL
from labs.models import classifiers
from labs.records.reading import read
from labs.studies.rates import chosen_in
from tests import made_up
from tests.jobs import programs
from tests.jobs.programs import evaluations, facts, finish, kill

SIZES = shlex.split(
    "--init embeddings --max-length 16 --held-out 40 --reviews 64 --batch-size 16 "
    "--epochs 1 --compressed-epochs 1 --device cpu --threads 1"
)
GRID = shlex.split("--layers 2 --replaced query+key")
COMPARISON = shlex.split("--sampler-seeds 3 --startup 2")
STAGES = (TRIAL, RETRAINED)
"""The last stage of trainings that compare rates, and of those that compare architectures."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 400 tokenized reviews, a small encoder, and a model that knows nothing."""
    folder = tmp_path_factory.mktemp("data")
    made_up.tokens(folder, 400)
    made_up.encoder(folder / "encoder")
    classifiers.save(classifiers.bert_tiny(0), folder / "model.safetensors")
    return folder


def start(experiment: str, data: Path, folder: Path, *more: object) -> subprocess.Popen[str]:
    files = ["--tokens", data / "tokens.parquet", "--encoder", data / "encoder"]
    files += ["--studies", folder / "studies"]
    return programs.start("run_experiment.py", experiment, *GRID, *SIZES, *files, *more)


def search(data: Path, folder: Path, least_accuracy: str = "0") -> subprocess.Popen[str]:
    output = ["--least-accuracy", least_accuracy, "--output", folder / "0.json"]
    more = ["--replicate", "0", "--learning-rates", "0.001", "0.002", *COMPARISON, *output]
    return start("search/architectures", data, folder, *more)


def longer(data: Path, folder: Path, studies: Path) -> subprocess.Popen[str]:
    more = ["--parts", folder / "0.json", "--replicate", "0", "--more-epochs", "3"]
    more += ["--more-held-out", "32", "--output", str(studies / "epochs-0.json")]
    return start("search/epochs", data, studies, *more)


@pytest.fixture(scope="module")
def searched(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a search has ended that nobody killed."""
    folder = tmp_path_factory.mktemp("searched")
    finish(search(data, folder))
    return folder


def test_a_search_that_is_killed_ends_the_same(data: Path, searched: Path, tmp_path: Path) -> None:
    process = search(data, tmp_path)
    kill(process, lambda: evaluations(tmp_path))
    done = evaluations(tmp_path)
    finish(search(data, tmp_path))
    assert facts(tmp_path / "0.json") == facts(searched / "0.json")
    assert done.items() <= evaluations(tmp_path).items(), "trained again"
    assert [path.name for path in (tmp_path / "studies").iterdir()] == ["evaluations"]


def test_every_architecture_is_trained_at_the_rate_that_was_chosen(searched: Path) -> None:
    folder = searched / "studies" / "evaluations"
    kept = [json.loads(path.read_text())["decided by"] for path in folder.iterdir()]
    rates = {last: {one["learning rate"] for one in kept if one["last"] == last} for last in STAGES}
    assert rates == {TRIAL: {0.001, 0.002}, RETRAINED: {chosen_in(read(searched / "0.json"))}}


def test_a_killed_longer_training_ends_the_same(data: Path, searched: Path, tmp_path: Path) -> None:
    process = longer(data, searched, tmp_path)
    kill(process, lambda: list(tmp_path.glob("studies/*.checkpoint")))
    assert "resumes from its checkpoint" in finish(longer(data, searched, tmp_path))
    finish(longer(data, searched, searched))
    assert facts(tmp_path / "epochs-0.json") == facts(searched / "epochs-0.json")


def test_a_default_below_the_least_accuracy_fails_by_name(data: Path, searched: Path) -> None:
    process = search(data, searched, least_accuracy="1")
    said = process.communicate()[0]
    assert process.returncode == 1
    assert "below the 100% of search.least-accuracy in config.yaml" in said
    assert "Traceback" not in said


MIXED = shlex.split(
    "--max-length 16 --held-out 40 --trial-reviews 32 --reviews 32 --batch-size 16 "
    "--learning-rates 0.001 --trials 3 --startup 2 --finalists 2 --widths 3 8 "
    "--penalties 0.001 0.01 --replicate 0 --device cpu --threads 1"
)


def start_mixed(data: Path, folder: Path, *more: str) -> subprocess.Popen[str]:
    files = ["--tokens", data / "tokens.parquet", "--model", data / "model.safetensors"]
    files += ["--studies", folder / "studies", "--output", folder / "cost.json"]
    return programs.start("run_experiment.py", "precision", "--part", COST, *MIXED, *files, *more)


def search_mixed(data: Path, folder: Path, *more: str) -> dict[str, Any]:
    finish(start_mixed(data, folder, *more))
    return read(folder / "cost.json")


@pytest.fixture(scope="module")
def mixed(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a search for mixed precision has ended that nobody killed."""
    folder = tmp_path_factory.mktemp("mixed")
    search_mixed(data, folder)
    return folder


def test_a_search_that_is_repeated_judges_nothing_again(mixed: Path, data: Path) -> None:
    before = read(mixed / "cost.json")
    kept = evaluations(mixed)
    assert search_mixed(data, mixed)["facts"] == before["facts"]
    assert evaluations(mixed) == kept


@pytest.mark.parametrize("number", [1, 5])
def test_a_mixed_search_that_is_killed_begins_again_and_ends_the_same(
    number: int, mixed: Path, data: Path, tmp_path: Path
) -> None:
    process = start_mixed(data, tmp_path)
    kill(process, lambda: len(evaluations(tmp_path)) >= number)
    kept = evaluations(tmp_path)
    assert search_mixed(data, tmp_path)["facts"] == read(mixed / "cost.json")["facts"]
    assert kept.items() <= evaluations(tmp_path).items(), "judged again"


def test_another_seed_searches_anew(mixed: Path, data: Path) -> None:
    kept = evaluations(mixed)
    before = read(mixed / "cost.json")
    assert search_mixed(data, mixed, "--seed", "7")["facts"] != before["facts"]
    assert evaluations(mixed).keys() > kept.keys()
