"""A layered layout of a directed graph, top to bottom: places for nodes, and routes for edges.

After Sugiyama: a node lies just above the first that reads it; an edge that crosses a layer has a
place there too, so that it passes through no node; and layer by layer, places move towards the mean
of their neighbours, with a pull to the middle that keeps the layout narrow.
"""

from collections.abc import Mapping, Sequence

Place = tuple[float, int]
"""A column and a layer; layer 0 is the top."""

SWEEPS = 24
PULL = 0.3
EDGE_WIDTH = 0.3
"""The width of an edge that crosses a layer, in columns; that of a node is one."""


def layered(
    reads: Mapping[str, Sequence[str]],
) -> tuple[dict[str, Place], dict[tuple[str, str], list[Place]]]:
    """Return each node's place, and the places that each edge (source, target) passes through.

    ``reads`` names what each node reads; a node comes after the nodes that it reads.
    """
    layers = _layers(reads)
    routes = {
        (parent, name): [
            parent,
            *(f"{parent} > {name} {layer}" for layer in range(layers[parent] + 1, layers[name])),
            name,
        ]
        for name, read in reads.items()
        for parent in read
    }
    neighbours: dict[str, list[str]] = {name: [] for name in reads}
    for route in routes.values():
        for step, (first, second) in enumerate(zip(route, route[1:], strict=False)):
            layers.setdefault(second, layers[route[0]] + step + 1)
            neighbours[first].append(second)
            neighbours.setdefault(second, []).append(first)
    columns = _columns(layers, neighbours, set(reads))
    places = {name: (columns[name], layers[name]) for name in layers}
    return (
        {name: places[name] for name in reads},
        {edge: [places[name] for name in route] for edge, route in routes.items()},
    )


def _layers(reads: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the layer of each node: just above its first reader, or else below what it reads."""
    layers: dict[str, int] = {}
    for name, read in reads.items():
        layers[name] = 1 + max((layers[parent] for parent in read), default=-1)
    for name in reversed(list(reads)):
        readers = [layers[other] for other, read in reads.items() if name in read]
        if readers:
            layers[name] = min(readers) - 1
    top = min(layers.values())
    return {name: layer - top for name, layer in layers.items()}


def _columns(
    layers: Mapping[str, int], neighbours: Mapping[str, Sequence[str]], nodes: set[str]
) -> dict[str, float]:
    """Return a column for each node and for each place of an edge; the leftmost is 0."""
    rows: dict[int, list[str]] = {}
    for name, layer in layers.items():
        rows.setdefault(layer, []).append(name)
    columns = {name: float(place) for row in rows.values() for place, name in enumerate(row)}
    for _ in range(SWEEPS):
        middle = sum(columns.values()) / len(columns)
        for layer in sorted(rows):
            wanted = {}
            for name in rows[layer]:
                beside = [columns[other] for other in neighbours[name] or [name]]
                wanted[name] = (1 - PULL) * (sum(beside) / len(beside)) + PULL * middle
            columns |= _apart(wanted, nodes)
    left = min(columns.values())
    return {name: column - left for name, column in columns.items()}


def _apart(wanted: Mapping[str, float], nodes: set[str]) -> dict[str, float]:
    """Return columns close to the wanted ones and in the same order, without overlap."""
    placed: dict[str, float] = {}
    free = float("-inf")
    for name in sorted(wanted, key=lambda name: wanted[name]):
        half = (1.0 if name in nodes else EDGE_WIDTH) / 2
        placed[name] = max(wanted[name], free + half)
        free = placed[name] + half
    shift = sum(wanted[name] - placed[name] for name in placed) / len(placed)
    return {name: place + shift for name, place in placed.items()}
