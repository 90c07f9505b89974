"""The training loop, and the experiments that train: the base model, the loops, and LoRA."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from labs.data.batches import batches
from labs.data.reviews import Batch, Reviews, load
from labs.experiments.base_model import observe as base
from labs.experiments.loops import observe as loops
from labs.experiments.lora.adapters import as_mase_adapts, with_adapters
from labs.models import checkpoints, classifiers
from labs.models.classifiers import MeanPooled, on_encoder
from labs.models.evaluation import correct, predict
from labs.models.operators import operators
from labs.models.optimization import Plan, one_cycle
from labs.models.training import train
from labs.records.observations import Observations
from labs.records.packed import unpack
from tests import made_up

PLAN = Plan(epochs=2, learning_rate=2e-3, batch_size=16)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Models this small gain nothing from more threads, which wait for each other when busy."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def reviews(tokens: Path) -> Reviews:
    return load(tokens, "train", 64)


def small(seed: int = 0) -> Any:
    """A BERT that trains in a second."""
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "intermediate_size": 32, "vocab_size": 64}
    return classifiers.bert_tiny(seed, **sizes)


def weights(model: nn.Module) -> torch.Tensor:
    return torch.cat([weight.detach().flatten() for weight in model.parameters()])


@pytest.mark.parametrize("steps", [1, 7, 100])
def test_the_learning_rate_rises_for_thirty_percent_of_the_steps_and_then_falls(steps: int) -> None:
    optimizer = torch.optim.AdamW([nn.Parameter(torch.zeros(1))])
    schedule = one_cycle(optimizer, PLAN, steps)
    for step in range(steps + 1):
        done = step / steps
        low, way = (1 / 25, done / 0.3) if done < 0.3 else (1 / 25e4, (1 - done) / 0.7)
        expected = low + (1 - low) * (1 - math.cos(math.pi * way)) / 2
        assert schedule.get_last_lr() == pytest.approx([PLAN.learning_rate * expected]), step
        if step < steps:
            optimizer.step()
            schedule.step()
    assert optimizer.param_groups[0]["betas"] == (0.9, 0.999)


@given(
    lengths=st.lists(st.integers(1, 512), min_size=1, max_size=500),
    batch_size=st.integers(1, 40),
    seed=st.integers(0, 2**32),
)
def test_an_epoch_holds_every_review_once(lengths: list[int], batch_size: int, seed: int) -> None:
    found = batches(torch.tensor(lengths), batch_size, torch.Generator().manual_seed(seed))
    assert sorted(torch.cat(found).tolist()) == list(range(len(lengths)))
    assert max(map(len, found)) <= batch_size


def test_batches_of_similar_lengths_hold_little_padding() -> None:
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(3, 513, (3200,), generator=generator)
    positions = sum(
        len(indices) * int(lengths[indices].max()) for indices in batches(lengths, 32, generator)
    )
    assert positions / int(lengths.sum()) < 1.03


def test_batches_are_not_sorted_by_length() -> None:
    lengths = torch.arange(1, 1601)
    found = batches(lengths, 32, torch.Generator().manual_seed(0))
    longest = [int(lengths[indices].max()) for indices in found]
    assert longest not in (sorted(longest), sorted(longest, reverse=True))


def test_a_model_learns_and_its_history_shows_it(reviews: Reviews, tokens: Path) -> None:
    model = small()
    test = load(tokens, "test", 64)

    def evaluate(trained: nn.Module) -> dict[str, Any]:
        return {"accuracy": correct(predict(trained, test, "cpu"), test).float().mean().item()}

    plan = Plan(epochs=8, learning_rate=5e-3, batch_size=16)
    history = train(model, reviews, plan, 0, "cpu", evaluate=evaluate)
    assert [entry["epoch"] for entry in history] == list(range(1, 9))
    assert history[-1]["loss"] < history[0]["loss"]
    assert history[-1]["accuracy"] > 0.9


def test_predictions_are_those_of_each_review_alone_and_keep_the_mode(reviews: Reviews) -> None:
    model = small().train()
    logits = predict(model, reviews, "cpu")
    assert model.training
    model.eval()
    for place in (0, 7, len(reviews) - 1):
        length = int(reviews.lengths[place])
        with torch.no_grad():
            alone = model(reviews.tokens[place : place + 1, :length].long()).logits[0]
        assert torch.allclose(logits[place], alone, atol=1e-5)


def test_a_seed_decides_the_training(reviews: Reviews) -> None:
    ends = []
    for seed in (1, 1, 2):
        model = small()
        train(model, reviews, PLAN, seed, "cpu")
        ends.append(weights(model))
    assert torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])


def test_gradients_are_clipped(reviews: Reviews) -> None:
    # AdamW is invariant to the gradient's scale, so the clipped gradient itself is checked.
    model = small()
    train(model, reviews, Plan(1, 1e-3, clip=1e-4), 0, "cpu")
    gradients = [weight.grad for weight in model.parameters() if weight.grad is not None]
    assert torch.cat([one.flatten() for one in gradients]).norm() <= 1.001e-4


def test_an_epochs_time_has_pending_work(reviews: Reviews, monkeypatch: pytest.MonkeyPatch) -> None:
    # A device that is always a second behind.
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "synchronize", lambda: time.sleep(1))
    begun = time.perf_counter()
    (entry,) = train(small(), reviews, Plan(1, 1e-3, batch_size=64), 0, "cpu")
    # What was pending before the epoch is not its own.
    assert 1 <= entry["seconds"] <= time.perf_counter() - begun - 1


@pytest.mark.parametrize("parts", [3, 1000])
def test_parts_of_an_epoch_change_nothing_but_the_history(reviews: Reviews, parts: int) -> None:
    whole, parted = small(), small()
    history = train(whole, reviews, PLAN, 0, "cpu")
    found = train(parted, reviews, PLAN, 0, "cpu", parts=parts, evaluate=lambda _: {"seen": 1})
    assert torch.equal(weights(whole), weights(parted))
    batches_an_epoch = len(history[0]["losses"])
    number = min(parts, batches_an_epoch)
    assert [entry["epoch"] for entry in found] == [1] * number + [2] * number
    assert all(entry["seen"] == 1 and entry["losses"] for entry in found)
    for epoch in history:
        losses = [x for one in found if one["epoch"] == epoch["epoch"] for x in one["losses"]]
        assert losses == epoch["losses"]
        assert epoch["loss"] == pytest.approx(sum(losses) / batches_an_epoch)


def test_a_training_that_is_interrupted_at_any_step_ends_with_the_same_weights_and_history(
    reviews: Reviews, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That it survives a kill as well is a test of the programs: tests/jobs."""

    def trained(name: str, calls: float) -> tuple[torch.Tensor, list[dict[str, Any]]]:
        """The weights and the history, of a training that ends after so many calls at most."""
        model, made = small(), count()

        def interrupt(*_: object) -> None:
            if next(made) == calls:
                raise KeyboardInterrupt

        model.register_forward_pre_hook(interrupt)
        history = train(
            *(model, reviews, PLAN, 0, "cpu", tmp_path / name),
            checkpoint_seconds=0.0,
            parts=4,
            evaluate=lambda trained: {"weights": weights(trained).sum().item()},
        )
        return weights(model), [entry | {"seconds": 0} for entry in history]

    whole, told = trained("whole", math.inf)
    interruptions = 0
    while True:
        with suppress(KeyboardInterrupt):
            found, seen = trained("interrupted", 7)
            break
        interruptions += 1
    assert interruptions > 2
    assert capsys.readouterr().err.count("resumes from its checkpoint") == interruptions
    assert torch.equal(found, whole)
    assert seen == told


def test_a_finished_training_is_not_repeated(reviews: Reviews, tmp_path: Path) -> None:
    first, again = small(), small()
    history = train(first, reviews, PLAN, 0, "cpu", tmp_path / "c", evaluate=lambda _: {"a": 1})
    assert train(again, reviews, PLAN, 0, "cpu", tmp_path / "c") == history
    assert torch.equal(weights(first), weights(again))


@pytest.mark.parametrize(
    "changed",
    [{"seed": 1}, {"plan": Plan(2, 1e-3, 16)}, {"model": small(1)}, {"depends_on": {"alpha": 2}}],
    ids=["seed", "plan", "first weights", "what else it depends on"],
)
def test_another_training_does_not_use_a_checkpoint(
    changed: dict[str, Any], reviews: Reviews, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for new in ({}, changed):
        asked: dict[str, Any] = {"model": small(), "plan": PLAN, "seed": 0}
        asked |= {"depends_on": {"alpha": 1}, **new}
        train(reviews=reviews, device="cpu", checkpoint=tmp_path / "c", **asked)
    said = capsys.readouterr().err
    assert "is of another training" in said
    assert "resumes" not in said


@pytest.mark.parametrize("kept", [0, -1])
def test_a_damaged_checkpoint_begins_anew(kept: int, reviews: Reviews, tmp_path: Path) -> None:
    whole, again = small(), small()
    train(whole, reviews, PLAN, 0, "cpu", tmp_path / "c")
    (tmp_path / "c").write_bytes((tmp_path / "c").read_bytes()[:kept])
    train(again, reviews, PLAN, 0, "cpu", tmp_path / "c")
    assert torch.equal(weights(whole), weights(again))


def test_a_change_of_code_is_another_training() -> None:
    settings: dict[str, Any] = {"a": 1}
    before = checkpoints.identity(settings, [])
    assert before == checkpoints.identity(settings, [])
    assert Path(checkpoints.__file__).resolve() in checkpoints._code()


def observed_of_base(folder: Path, held_out: int, replicate: int = 0) -> Observations:
    tokens, checkpoint = folder / "tokens.parquet", folder / "checkpoint"
    plan, least_accuracy, seed = Plan(1, 1e-3), 0, 0
    return base.observe(
        small(), tokens, 32, 64, held_out, plan, least_accuracy, seed, replicate, "cpu", checkpoint
    )


def test_each_chain_trains_in_an_order_of_its_own(tmp_path: Path) -> None:
    made_up.tokens(tmp_path, 200)
    losses: dict[int, float] = {
        row["process"]: row["value"]
        for replicate in range(2)
        for row in observed_of_base(tmp_path, 10, replicate).rows["facts"]
        if row["name"] == "loss"
    }
    assert losses.keys() == {0, 1} and losses[0] != losses[1]


def test_other_reviews_train_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
        for row in seen.rows["facts"]
        if row["name"] == "correct" and row["case"]["split"] == "padded"
    }
    lengths = load(tokens, "validation", 32, 20).lengths
    padded = int((lengths < lengths.max()).sum())
    assert padded > 0
    assert judged == {"BERT-tiny": padded, "BERT-tiny, no mask": padded}


def test_loops_are_warm_and_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"model": "model.safetensors", "tokens": "tokens.parquet", "vocabulary": "vocab.txt"}
    asked: dict[str, Any] = {role: str(tmp_path / name) for role, name in names.items()}
    made_up.tokens(tmp_path, 200)
    classifiers.save(small(), Path(asked["model"]))
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
    steady = [row for row in seen.rows["samples"] if row["quantity"] == "steady"]
    assert all(len(row["seconds"]) >= 2 for row in steady)
    assert len(steady) == 4
    assert not list(empty.iterdir())


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.encoder(tmp_path_factory.mktemp("encoder"))


def peft_weights(model: MeanPooled, seed: int) -> list[torch.Tensor]:
    adapted = with_adapters(model, seed, rank=2, alpha=4, dropout=0.1)
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
    adapted = with_adapters(model, 0, rank=2, alpha=4, dropout=0.1)
    assert len(operators(adapted, batch)) > len(before)
    assert operators(adapted.merge_and_unload(), batch) == before
