"""The programs of the search run by hand on made-up reviews, and end the same after a kill."""

import shlex
import subprocess
from pathlib import Path

import pytest

from tests import made_up
from tests.jobs import programs
from tests.jobs.programs import evaluations, facts, finish, kill

SIZES = shlex.split(
    "--start words --max-length 16 --held-out 40 --reviews 64 --batch-size 16 --epochs 1 "
    "--learning-rate 0.002 --compressed-epochs 1 --device cpu --threads 1"
)
GRID = shlex.split("--layers 2 --replaced query+key")
COMPARISON = shlex.split("--sampler-seeds 3 --startup 2")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 400 tokenized reviews and a small encoder."""
    folder = tmp_path_factory.mktemp("data")
    made_up.tokens(folder, 400)
    made_up.encoder(folder / "encoder")
    return folder


def start(program: str, data: Path, folder: Path, *more: object) -> subprocess.Popen[str]:
    files = ["--tokens", data / "tokens.parquet", "--encoder", data / "encoder"]
    files += ["--studies", folder / "studies"]
    grid = [] if program == "search_lab_space.py" else GRID
    return programs.start(program, *grid, *SIZES, *files, *more)


def search(data: Path, folder: Path, least_accuracy: str = "0") -> subprocess.Popen[str]:
    output = ["--least-accuracy", least_accuracy, "--output", folder / "0.json"]
    more = ["--replicate", "0", *COMPARISON, *output]
    return start("search_architectures.py", data, folder, *more)


def longer(data: Path, folder: Path, studies: Path) -> subprocess.Popen[str]:
    more = ["--parts", folder / "0.json", "--replicate", "0", "--more-epochs", "3"]
    more += ["--more-held-out", "32", "--output", str(studies / "epochs-0.json")]
    return start("train_winner.py", data, studies, *more)


@pytest.fixture(scope="module")
def searched(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a search has ended that nobody killed."""
    folder = tmp_path_factory.mktemp("searched")
    finish(search(data, folder))
    return folder


def test_a_search_that_is_killed_begins_again_and_ends_the_same(
    data: Path, searched: Path, tmp_path: Path
) -> None:
    process = search(data, tmp_path)
    kill(process, lambda: evaluations(tmp_path))
    done = evaluations(tmp_path)
    finish(search(data, tmp_path))
    assert facts(tmp_path / "0.json") == facts(searched / "0.json")
    assert done.items() <= evaluations(tmp_path).items(), "trained again"
    assert [path.name for path in (tmp_path / "studies").iterdir()] == ["evaluations"]


def test_shards_split_a_search_and_it_ends_the_same(
    data: Path, searched: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "0-0.txt", tmp_path / "0-1.txt"]
    shards = [
        start("train_shard.py", data, tmp_path, "--replicate", "0", "--shards", "2", *more)
        for more in (("--shard", str(n), "--output", str(file)) for n, file in enumerate(files))
    ]
    for shard in shards:
        finish(shard)
    told = [file.read_text() for file in files]
    assert told == ["2 architectures are trained\n", "1 architectures are trained\n"]
    done = evaluations(tmp_path)
    assert len(done) == 3
    finish(search(data, tmp_path))
    assert facts(tmp_path / "0.json") == facts(searched / "0.json")
    assert done == evaluations(tmp_path), "trained again"


def test_a_longer_training_that_is_killed_ends_the_same(
    data: Path, searched: Path, tmp_path: Path
) -> None:
    process = longer(data, searched, tmp_path)
    kill(process, lambda: list(tmp_path.glob("studies/*.checkpoint")))
    said = finish(longer(data, searched, tmp_path))
    assert "resumes from its checkpoint" in said
    finish(longer(data, searched, searched))
    assert facts(tmp_path / "epochs-0.json") == facts(searched / "epochs-0.json")


def test_a_default_below_the_least_accuracy_fails_by_name(data: Path, searched: Path) -> None:
    process = search(data, searched, least_accuracy="1")
    said = process.communicate()[0]
    assert process.returncode == 1
    assert "below the 100% of search.least-accuracy in config.yaml" in said
    assert "Traceback" not in said
