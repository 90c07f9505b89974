"""A layout in which every edge goes down, nothing overlaps, and no edge runs through a node."""

from hypothesis import given
from hypothesis import strategies as st

from labs.experiments.graphs.layered import EDGE_WIDTH, layered

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
