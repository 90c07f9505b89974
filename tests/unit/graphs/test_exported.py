"""Exported graphs of small modules: what is said of them, and what passes make of them."""

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import ExportedProgram

from labs.experiments.graphs.description import describe
from labs.experiments.graphs.outputs import AttentionMasks, Trace, differing
from labs.experiments.graphs.passes import (
    argument,
    attention_dropouts,
    dropouts,
    remove_dropouts,
    silence_attention,
)


class Small(nn.Module):
    """A linear layer, a view and a buffer."""

    offset: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 3)
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.linear(x).t() + self.offset[:, None]
        return y


INPUTS = {"x": torch.randn(2, 4)}
PROGRAM = torch.export.export(Small(), (), INPUTS)


def test_every_node_is_described() -> None:
    described = {one.node: one for one in describe(PROGRAM)}
    assert list(described) == [node.name for node in PROGRAM.graph.nodes]
    kinds = [one.kind for one in described.values()]
    assert kinds.count("parameter") == 2
    assert kinds.count("buffer") == 1
    assert (kinds.count("input"), kinds[-1]) == (1, "output")
    linear = described["linear"]
    assert linear.operator == "linear.default"
    assert linear.module == "linear"
    assert linear.input_shapes == ("2×4",)
    assert (linear.shape, linear.dtype, linear.bytes) == ("2×3", "float32", 24)
    assert linear.parameters == 4 * 3 + 3
    assert described["x"].parameters == 0
    assert "self.linear(x)" in linear.source


def test_a_trace_finds_outputs_that_share_memory() -> None:
    trace = Trace(PROGRAM, INPUTS)
    names = {one.operator.split(".")[0]: one.node for one in describe(PROGRAM)}
    assert trace.sharing >= {names["t"], names["unsqueeze"]}
    assert not {names["linear"], names["add"]} & trace.sharing
    assert torch.equal(trace.values[names["add"]], PROGRAM.module()(**INPUTS))


def test_differing_counts_elements_and_a_nan_equals_nothing() -> None:
    first = torch.tensor([1.0, 2.0, float("nan")])
    assert differing(first, torch.tensor([1.0, 3.0, float("nan")])) == 2
    assert differing(first[:2], first[:2]) == 0


def test_masks_given_to_attention_are_counted() -> None:
    x = torch.randn(1, 1, 3, 4)
    with AttentionMasks() as masks:
        nn.functional.scaled_dot_product_attention(x, x, x)
        nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(3, 3).bool())
    assert masks.given == 1


X = torch.randn(2, 4)


class Applied(nn.Module):
    """A function of one tensor as a module."""

    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def exported(model: nn.Module, train: bool = True) -> ExportedProgram:
    return torch.export.export(model.train(train), (X,))


def attention(x: torch.Tensor) -> torch.Tensor:
    return F.scaled_dot_product_attention(x, x, x, dropout_p=0.5)


MODELS = {
    "nested": (nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Dropout(0.5), nn.ReLU())), 1),
    "in a row": (nn.Sequential(nn.Dropout(0.5), nn.Dropout(0.1), nn.Linear(4, 4)), 2),
    "functional": (Applied(lambda x: F.dropout(x.relu(), 0.5, training=True) + x), 1),
    "in place": (Applied(lambda x: F.dropout(x + 1, 0.5, training=True, inplace=True)), 1),
    "never drops": (nn.Sequential(nn.Dropout(0.0), nn.Linear(4, 4)), 1),
    "of another kind": (nn.Sequential(nn.AlphaDropout(0.5), nn.Linear(4, 4)), 1),
    "last": (nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)), 1),
    "read twice": (Applied(lambda x: F.dropout(d := F.dropout(x, 0.5), 0.5) * d), 2),
    "none": (nn.Linear(4, 4), 0),
}


@pytest.mark.parametrize(("model", "count"), MODELS.values(), ids=MODELS)
def test_dropouts_are_counted_and_removed_and_nothing_else(model: nn.Module, count: int) -> None:
    program = exported(model)
    before = [node.name for node in program.graph.nodes]
    gone = [node.name for node in dropouts(program.graph)]
    assert len(gone) == count
    remove_dropouts(program.graph)
    assert dropouts(program.graph) == []
    left = [name for name in before if name not in gone]
    assert [node.name for node in program.graph.nodes] == left


@pytest.mark.parametrize("name", ["nested", "in a row", "never drops", "of another kind", "none"])
def test_without_its_dropouts_a_training_graph_computes_what_eval_mode_does(name: str) -> None:
    model, _ = MODELS[name]
    program = exported(model)
    remove_dropouts(program.graph)
    assert torch.equal(program.module()(X), model.eval()(X))


def test_the_dropout_inside_attention_is_no_node_and_can_be_silenced() -> None:
    program = torch.export.export(Applied(attention), (torch.randn(1, 2, 3, 4),))
    assert dropouts(program.graph) == []
    (node,) = attention_dropouts(program.graph)
    assert argument(node, "dropout_p") == 0.5
    silence_attention(program.graph)
    assert attention_dropouts(program.graph) == []
    assert argument(node, "dropout_p") == 0.0
    assert argument(node, "attn_mask") is None
