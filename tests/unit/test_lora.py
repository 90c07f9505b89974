"""SFT against LoRA: the seed alone decides an arm's initial weights."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from labs.data.reviews import Batch
from labs.experiments.lora.adapters import Adapters, as_mase_adapts, with_adapters
from labs.models.classifiers import MeanPooled, on_encoder
from labs.models.operators import operators
from tests import made_up


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
