"""A model whose last layer computes the first tokens alone judges and trains as a whole one."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from labs.data.reviews import Reviews
from labs.experiments.search.compressing import compress
from labs.models.evaluation import predict, predict_from_first
from labs.models.first_tokens import TOKENS, first_tokens_alone
from labs.models.quantized import quantize_linears
from tests import made_up

BLOCK = {"name": "block_fp", "width": 8, "exponent_width": 8, "block_size": 16}


@pytest.fixture(
    params=[
        lambda model: model,
        lambda model: compress(model, seed=0),
        lambda model: quantize_linears(model, BLOCK),
        lambda model: model.set_submodule("bert.encoder.layer.1.attention.self.key", nn.Identity()),
    ],
    ids=["as it is", "quantized and pruned", "in blocks", "without a key"],
)
def model(request: pytest.FixtureRequest) -> Any:
    """What is made of a model; in float64, so that no rounding turns on the order of a sum."""
    made = made_up.bert()
    request.param(made)
    return made.double()


def test_the_first_tokens_of_the_last_layer_give_the_same_logits(model: Any) -> None:
    names, lengths = list(model.state_dict()), torch.arange(1, 41)
    tokens = torch.randint(1, 50, (40, 40)) * (torch.arange(40) < lengths[:, None])
    reviews = Reviews(tokens, lengths, torch.zeros(40))
    whole = predict(model, reviews, "cpu")
    computed: list[int] = []
    inner = model.bert.encoder.layer[-1].intermediate.dense
    inner.register_forward_pre_hook(lambda _, given: computed.append(given[0].shape[1]))
    torch.testing.assert_close(predict_from_first(model, reviews, "cpu"), whole)
    assert computed == [TOKENS, TOKENS]
    assert list(model.state_dict()) == names


def test_the_first_tokens_of_the_last_layer_give_the_same_gradients(model: Any) -> None:
    without_dropout(model).train()

    def gradients() -> dict[str, torch.Tensor]:
        model.zero_grad()
        logits = model(**made_up.batch()).logits
        F.cross_entropy(logits, torch.tensor([0, 1, 0])).backward()
        return {name: each.grad for name, each in model.named_parameters() if each.grad is not None}

    whole = gradients()
    with first_tokens_alone(model):
        alone = gradients()
    # The identity in the place of a layer has no parameters; all others have a gradient.
    assert whole.keys() == dict(model.named_parameters()).keys()
    torch.testing.assert_close(alone, whole)


def test_the_first_tokens_of_the_last_layer_drop_as_the_whole_layer_does() -> None:
    """Attention of the last layer drops probabilities in training, and none in evaluation."""
    model = without_dropout(made_up.bert()).train()
    model.bert.encoder.layer[-1].attention.self.dropout.p = 0.5
    tokens = torch.arange(1, 7).repeat(4000, 1)

    def spread() -> torch.Tensor:
        logits: torch.Tensor = model(tokens).logits.detach()
        return logits.std(dim=0)

    torch.manual_seed(0)
    whole = spread()
    with first_tokens_alone(model):
        alone = spread()
        torch.testing.assert_close(alone, whole, rtol=0.05, atol=0)
        model.eval()
        assert spread().max() < whole.min() / 1000
    assert whole.min() > 0


def without_dropout(model: Any) -> Any:
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model
