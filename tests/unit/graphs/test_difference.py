"""Two graphs are compared as texts; where they differ is drawn in layers, and nothing overlaps."""

from hypothesis import given
from hypothesis import strategies as st

from labs.analysis.graphs.difference import Node, align, difference, merge_runs, neighbourhood
from reporting.figures.graphs.layered import EDGE_WIDTH, layered


def graph(*lines: str) -> list[Node]:
    """Nodes from "name operator module read read"; an operator of "input" is an input."""
    nodes = []
    for line in lines:
        name, operator, module, *reads = line.split()
        is_input = operator == "input"
        kind, operator = ("input", "") if is_input else ("call_function", operator)
        nodes.append(Node(name, kind, operator, "" if is_input else module, tuple(reads)))
    return nodes


PLAIN = graph("x input -", "a relu m x", "b neg n a", "c neg n b", "d add m c")
MORE = graph(
    "x input -", "a relu m x", "y input -", "e mul m a y", "b neg n e", "c neg n b", "d add m c"
)


def test_a_graph_does_not_differ_from_itself() -> None:
    assert all(first == second for first, second in align(PLAIN, PLAIN))
    assert neighbourhood(difference(PLAIN, PLAIN)) == {}


def test_what_only_one_graph_has_is_found_whichever_comes_first() -> None:
    added = [second.name for first, second in align(PLAIN, MORE) if not first and second]
    gone = [first.name for first, second in align(MORE, PLAIN) if not second and first]
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
    boxes = merge_runs(difference(PLAIN, PLAIN))
    assert [box.label for box in boxes.values()] == ["x", "relu", "neg ×2", "add"]
    assert boxes["d"].reads == {"b": "both"}


def test_a_run_that_another_node_reads_is_not_merged() -> None:
    forked = graph("x input -", "b neg n x", "c neg n b", "d add m b c")
    boxes = merge_runs(difference(forked, forked))
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
