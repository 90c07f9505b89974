"""Descriptions of small modules agree with a count by hand; a trace shows what really ran."""

import torch
from torch import nn

from labs.experiments.graphs.description import describe
from labs.experiments.graphs.outputs import AttentionMasks, Trace, differing


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
