"""The training loops are warm before they are timed, and leave no files."""

from pathlib import Path
from typing import Any

import pytest

from labs.data.reviews import Reviews
from labs.experiments.loops import observe as loops
from labs.models import classifiers
from tests import made_up


def test_every_loop_is_warm_before_it_is_timed_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"model": "model.safetensors", "tokens": "tokens.parquet", "vocabulary": "vocab.txt"}
    asked: dict[str, Any] = {role: str(tmp_path / name) for role, name in names.items()}
    made_up.tokens(tmp_path, 200)
    small = classifiers.bert_tiny(0, hidden_size=16, intermediate_size=32, vocab_size=64)
    classifiers.save(small, Path(asked["model"]))
    trained: list[tuple[str, int]] = []
    train, trainer = loops.train, loops._trainer

    def own(model: Any, reviews: Reviews, *rest: Any, name: str) -> Any:
        trained.append(("own", len(reviews)))
        return train(model, reviews, *rest, name=name)

    def theirs(model: Any, reviews: Reviews, *rest: Any) -> Any:
        trained.append((rest[-1], len(reviews)))
        return trainer(model, reviews, *rest)

    monkeypatch.setattr(loops, "train", own)
    monkeypatch.setattr(loops, "_trainer", theirs)
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    asked |= {"rounds": 2, "reviews": 40, "held_out": 10, "batch_size": 8, "learning_rate": 1e-3}
    seen = loops.observe(0, **asked, device="cpu", seed=0)
    ways = ["own", "random", "group_by_length"]
    assert trained[:3] == [(way, loops.FEW) for way in ways]
    assert sorted(trained[3:7]) == sorted((way, 40) for way in [*ways, "own"])
    steady = [row for row in seen.rows()["samples"] if row["quantity"] == "steady"]
    assert all(len(row["seconds"]) >= 2 for row in steady)
    assert len(steady) == 4
    assert not list(empty.iterdir())
