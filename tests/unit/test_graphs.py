"""Exported graphs: described, traced, passed, and compared; and how a difference is drawn."""

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.export import ExportedProgram

from labs.experiments.graphs import passes
from labs.experiments.graphs.description import describe
from labs.experiments.graphs.difference import edits
from labs.experiments.graphs.difference.edits import align, difference, neighbourhood
from labs.experiments.graphs.layered import EDGE_WIDTH, layered
from labs.experiments.graphs.node import Node
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
    assert linear.input_shapes == "2×4"
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
    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def exported(model: nn.Module, train: bool = True) -> ExportedProgram:
    return torch.export.export(model.train(train), (X,))


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
    gone = [node.name for node in passes.dropouts(program.graph)]
    assert len(gone) == count
    passes.remove_dropouts(program.graph)
    assert passes.dropouts(program.graph) == []
    left = [name for name in before if name not in gone]
    assert [node.name for node in program.graph.nodes] == left


@pytest.mark.parametrize("name", ["nested", "in a row", "never drops", "of another kind", "none"])
def test_without_its_dropouts_a_training_graph_computes_what_eval_mode_does(name: str) -> None:
    model, _ = MODELS[name]
    program = exported(model)
    passes.remove_dropouts(program.graph)
    assert torch.equal(program.module()(X), model.eval()(X))


def test_the_dropout_inside_attention_is_no_node_and_can_be_silenced() -> None:
    attention = Applied(lambda x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5))
    program = torch.export.export(attention, (torch.randn(1, 2, 3, 4),))
    assert passes.dropouts(program.graph) == []
    (node,) = passes.attention_dropouts(program.graph)
    assert passes.argument(node, "dropout_p") == 0.5
    passes.silence_attention(program.graph)
    assert passes.attention_dropouts(program.graph) == []
    assert passes.argument(node, "dropout_p") == 0.0
    assert passes.argument(node, "attn_mask") is None


def graph(*lines: str) -> list[Node]:
    """Nodes from "name operator module read read"; an operator of "input" is an input."""
    nodes = []
    for line in lines:
        name, operator, module, *reads = line.split()
        if operator == "input":
            nodes.append(Node(name, "input", "", ""))
        else:
            nodes.append(Node(name, "call_function", module, " ".join(reads), operator=operator))
    return nodes


PLAIN = graph("x input -", "a relu m x", "b neg n a", "c neg n b", "d add m c")
MORE = graph(
    "x input -", "a relu m x", "y input -", "e mul m a y", "b neg n e", "c neg n b", "d add m c"
)


def test_a_graph_does_not_differ_from_itself() -> None:
    assert all(first == second for first, second in align(PLAIN, PLAIN))
    assert neighbourhood(difference(PLAIN, PLAIN)) == {}


def test_what_only_one_graph_has_is_found_whichever_comes_first() -> None:
    added = [second.node for first, second in align(PLAIN, MORE) if not first and second]
    gone = [first.node for first, second in align(MORE, PLAIN) if not second and first]
    assert added == gone == ["y", "e"]


def test_edges_name_the_graphs_they_are_in() -> None:
    boxes = difference(PLAIN, MORE)
    assert boxes["b"].reads == {"a": "before", "e": "after"}
    assert boxes["a"].reads == {"x": "both"}
    assert boxes["e"].status == "after"


def test_nodes_that_are_only_numbered_differently_are_equal() -> None:
    renamed = graph("x input -", "a relu m x", "b_1 neg n a", "c_1 neg n b_1", "d add m c_1")
    assert all(box.status == "both" for box in difference(PLAIN, renamed).values())


def test_a_name_of_different_nodes_in_both_graphs_gives_two_boxes() -> None:
    boxes = difference(graph("x input -", "a relu m x"), graph("x input -", "a neg m x"))
    found = {name: box.status for name, box in boxes.items()}
    assert found == {"x": "both", "a, before": "before", "a": "after"}


def test_only_the_modules_that_differ_and_their_neighbours_are_drawn() -> None:
    far = "f neg o d", "g neg o f"
    before, after = [*PLAIN, *graph(*far)], [*MORE, *graph(*far)]
    # m differs: a, d and e are in it; b, c and f read from it or feed it; g is far away.
    assert set(neighbourhood(difference(before, after))) == {"x", "y", "a", "b", "c", "d", "e", "f"}


def test_a_run_of_one_operator_becomes_one_box() -> None:
    boxes = edits.merge_runs(difference(PLAIN, PLAIN))
    assert [box.label for box in boxes.values()] == ["x", "relu", "neg ×2", "add"]
    assert boxes["d"].reads == {"b": "both"}


def test_a_run_that_another_node_reads_is_not_merged() -> None:
    forked = graph("x input -", "b neg n x", "c neg n b", "d add m b c")
    boxes = edits.merge_runs(difference(forked, forked))
    assert [box.label for box in boxes.values()] == ["x", "neg", "neg", "add"]


def test_a_reader_of_two_boxes_with_one_name_reads_each_in_its_graph() -> None:
    before = graph("x input -", "a relu m x", "b neg m a")
    boxes = difference(before, graph("x input -", "a tanh m x", "b neg m a"))
    assert boxes["b"].reads == {"a, before": "before", "a": "after"}


def test_the_same_operator_in_another_module_is_another_node() -> None:
    boxes = difference(graph("x input -", "a relu m x"), graph("x input -", "b relu n x"))
    assert sorted(box.status for box in boxes.values()) == ["after", "before", "both"]


Reads = dict[str, list[str]]


@st.composite
def graphs(draw: st.DrawFn) -> Reads:
    """Acyclic graphs: a node reads some of those before it."""
    size = draw(st.integers(1, 12))
    return {
        f"n{place}": [f"n{other}" for other in range(place) if draw(st.integers(0, 3)) == 0]
        for place in range(size)
    }


@given(reads=graphs())
def test_edges_go_down_one_layer_at_a_time(reads: Reads) -> None:
    places, routes = layered(reads)
    assert set(places) == set(reads)
    assert set(routes) == {(parent, name) for name, read in reads.items() for parent in read}
    for (source, target), points in routes.items():
        assert (points[0], points[-1]) == (places[source], places[target])
        layers = [layer for _, layer in points]
        assert layers == list(range(layers[0], layers[0] + len(layers)))
        assert len(layers) > 1


@given(reads=graphs())
def test_nothing_overlaps(reads: Reads) -> None:
    places, routes = layered(reads)
    passing = {point for points in routes.values() for point in points[1:-1]}
    nodes = list(places.values())
    for number, (x, layer) in enumerate(nodes):
        for other, other_layer in nodes[number + 1 :]:
            assert layer != other_layer or abs(x - other) > 1 - 1e-9
        for other, other_layer in passing:
            assert layer != other_layer or abs(x - other) > (1 + EDGE_WIDTH) / 2 - 1e-9


def test_a_node_lies_just_above_the_first_that_reads_it() -> None:
    places, _ = layered({"a": [], "b": ["a"], "late": [], "c": ["b", "late"]})
    layers = {name: layer for name, (_, layer) in places.items()}
    assert layers == {"a": 0, "b": 1, "late": 1, "c": 2}
