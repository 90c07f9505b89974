"""The base model, the loops and LoRA: what their trainings start from, depend on and leave."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from labs.data.reviews import Batch, Reviews, load
from labs.experiments import base_model as base
from labs.experiments import loops
from labs.experiments.lora.adapters import Adapters, as_mase_adapts, with_adapters
from labs.models import classifiers
from labs.models.classifiers import MeanPooled, on_encoder
from labs.models.operators import operators
from labs.models.optimization import Plan
from labs.records.answers import unpack
from labs.records.observations import Observations
from tests import made_up


def observed_of_base(folder: Path, held_out: int) -> Observations:
    """What is observed of a small model that is trained on the tokens in a folder."""
    model = classifiers.bert_tiny(0, hidden_size=16, intermediate_size=32, vocab_size=64)
    tokens, checkpoint = folder / "tokens.parquet", folder / "checkpoint"
    return base.observe(model, tokens, 32, 64, held_out, Plan(1, 1e-3), 0, 0, "cpu", checkpoint)


def test_a_checkpoint_with_accuracies_on_other_reviews_is_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.tokens(tmp_path, 200)
    observed_of_base(tmp_path, 10)
    observed_of_base(tmp_path, 10)
    assert "resumes" in capsys.readouterr().err
    observed_of_base(tmp_path, 9)
    assert "is of another training" in capsys.readouterr().err


def test_the_mask_is_judged_on_the_padded_validation_reviews(tmp_path: Path) -> None:
    tokens = made_up.tokens(tmp_path, 200)
    seen = observed_of_base(tmp_path, 20)
    judged = {
        row["arm"]: len(unpack(row["value"]))
        for row in seen.facts
        if row["name"] == "correct" and row["case"]["split"] == "padded"
    }
    lengths = load(tokens, "validation", 32, 20).lengths
    padded = int((lengths < lengths.max()).sum())
    assert padded > 0
    assert judged == {"BERT-tiny": padded, "BERT-tiny, no mask": padded}


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


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.encoder(tmp_path_factory.mktemp("encoder"))


def peft_weights(model: MeanPooled, seed: int) -> list[torch.Tensor]:
    adapted = with_adapters(model, Adapters(rank=2, alpha=4, dropout=0.1), seed)
    return list(adapted.state_dict().values())


def mase_weights(model: MeanPooled, seed: int) -> list[torch.Tensor]:
    return list(as_mase_adapts(model, 2, seed).state_dict().values())


@pytest.mark.parametrize("weights", [peft_weights, mase_weights])
def test_the_seed_alone_decides_the_initial_weights(
    weights: Callable[[MeanPooled, int], list[torch.Tensor]], encoder: Path
) -> None:
    found = []
    for seed, drawn_before in ((1, 0), (1, 7), (2, 0)):
        model = on_encoder(encoder, 1, 0)
        torch.rand(drawn_before)
        found.append(weights(model, seed))
    first, again, other = found
    assert all(torch.equal(*pair) for pair in zip(first, again, strict=True))
    assert not all(torch.equal(*pair) for pair in zip(first, other, strict=True))


def test_initialization_leaves_the_global_generator_alone(encoder: Path) -> None:
    model = on_encoder(encoder, 1, 0)
    before = torch.get_rng_state()
    peft_weights(model, 1)
    assert torch.equal(before, torch.get_rng_state())


def test_merging_gives_back_the_operators_of_the_model_without_adapters(encoder: Path) -> None:
    tokens = torch.randint(0, 20, (2, 8))
    batch = Batch(tokens, torch.ones_like(tokens), torch.zeros(2))
    model = on_encoder(encoder, 1, 0)
    before = operators(model, batch)
    adapted = with_adapters(model, Adapters(rank=2, alpha=4, dropout=0.1), 0)
    beside = operators(adapted, batch)
    assert len(beside) > len(before)
    assert operators(adapted.merge_and_unload(), batch) == before
