"""A file of a job that is cut off or missing ends the next job with one line that names it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs.data import corpus, reviews
from labs.models import classifiers
from tests import made_up

READERS: dict[str, Callable[[Path], Any]] = {
    "tokens.parquet": lambda path: reviews.load(path, "train", 16),
    "reviews.parquet": corpus.origin_of,
    "model.safetensors": classifiers.load,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one whole file of each kind."""
    found = tmp_path_factory.mktemp("whole")
    made_up.tokens(found, 50)
    model = classifiers.bert_tiny(1, hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    classifiers.save(model, found / "model.safetensors")
    return found


@pytest.mark.parametrize("name", READERS)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(part=st.floats(0, 0.999))
def test_a_file_that_is_cut_off_is_named(
    folder: Path, name: str, part: float, tmp_path: Path
) -> None:
    whole = (folder / name).read_bytes()
    READERS[name](folder / name)
    (tmp_path / name).write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(SystemExit, match=f"^error: {tmp_path / name} is damaged .*; delete it"):
        READERS[name](tmp_path / name)


@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=f"^error: {tmp_path / name} "):
        READERS[name](tmp_path / name)
