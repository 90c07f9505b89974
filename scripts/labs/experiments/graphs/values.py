"""Values of the graphs: nodes, differences between graphs, and outputs."""

from collections.abc import Iterator, Sequence
from typing import Any

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, slug
from labs.experiments.graphs.difference.edits import Node, align
from labs.experiments.graphs.names import IDS, LABELS, MASK, REMOVED, TRAINING
from labs.records.record import Record

ANALYSIS = Analysis("graphs")
prefix = ANALYSIS.prefix

Row = dict[str, Any]

GRAPHS = {
    IDS: "tokens",
    REMOVED: "dropouts removed",
    MASK: "with mask",
    LABELS: "with mask, labels",
    TRAINING: "train mode",
}
COMPARISONS = {
    "removal": (REMOVED, IDS),
    "mask": (IDS, MASK),
    "labels": (MASK, LABELS),
    "training": (IDS, TRAINING),
}
"""The smaller graph, then the larger one."""
OPERATOR = "call_function"
LAYER = "bert.encoder.layer."


def nodes(record: Record, graph: str) -> list[Row]:
    """Return the nodes of a graph in execution order, each with its operator ("" if none)."""
    return [
        {**row["case"], "operator": row["value"] if row["case"]["kind"] == OPERATOR else ""}
        for row in record["facts"]
        if row["name"] == "node" and row["arm"] == graph
    ]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    start = prefix(record)
    found: dict[str, Value] = {}

    def count(name: str, number: float) -> None:
        found[f"{start}.{name}"] = exactly(number, "count")

    for graph in GRAPHS:
        rows = nodes(record, graph)
        count(f"{graph}.nodes", len(rows))
        count(f"{graph}.operators", sum(row["kind"] == OPERATOR for row in rows))
        for name in ("dropout nodes", "dropouts inside attention"):
            count(f"{graph}.{slug(name)}", fact(record, name, graph)[0])
    for name, arm in (
        ("dropout modules", "model"),
        ("parameters", "model"),
        ("dropout nodes", "loaded"),
        ("nodes", "loaded"),
        ("nodes", "erase"),
        ("attention masks", "eager"),
        ("attention masks", "exported"),
        ("masked positions", "exported"),
        ("shapes inferred", IDS),
        ("shapes inferred wrongly", IDS),
    ):
        count(f"{slug(arm)}.{slug(name)}", fact(record, name, arm)[0])
    for row in record["facts"]:
        if row["name"] == "differing elements":
            count(f"{slug(row['arm'])}.differing", row["value"])
            count(f"{slug(row['arm'])}.elements", row["case"]["elements"])
        if row["name"] == "error":
            count(f"{slug(row['arm'])}.error", row["value"] != "")
    for name, (less, more) in COMPARISONS.items():
        changed = list(changed_nodes(record, less, more))
        count(f"{name}.added", sum(first is None for first, _ in changed))
        count(f"{name}.gone", sum(second is None for _, second in changed))
    loss = (second for _, second in changed_nodes(record, *COMPARISONS["labels"]) if second)
    count("labels.loss", sum("loss" in node.operator for node in loss))
    rows = nodes(record, IDS)
    count("ids.parameters-read", sum(row["parameters"] for row in rows))
    layers = _layers(rows)
    count("layers.all", len(layers))
    count("layers.different", sum(layer != layers[0] for layer in layers))
    left = mask_nodes(record)
    count("left.nodes", len(left))
    count("left.constant", len(left) - len(_fed(rows) & left))
    count("left.unused", len(left & unused_nodes(rows)))
    error = next(row["error"] for row in record["checks"] if row["arm"] == "exported")
    found[f"{start}.exported.error"] = exactly(error, "ratio")
    return found


def mask_nodes(record: Record) -> set[str]:
    """Return the nodes that handle the attention mask in the graph that is given none.

    They are the operators of the modules to which a given mask adds operators.
    """
    changed = (second for first, second in changed_nodes(record, *COMPARISONS["mask"]) if not first)
    modules = {node.module for node in changed if node and node.operator}
    return {
        row["node"] for row in nodes(record, IDS) if row["operator"] and row["module"] in modules
    }


def changed_nodes(
    record: Record, less: str, more: str
) -> Iterator[tuple[Node | None, Node | None]]:
    """Return the nodes that only one of two graphs has, each paired with None for the other."""
    pairs = align(graph_nodes(record, less), graph_nodes(record, more))
    return ((first, second) for first, second in pairs if first is None or second is None)


def graph_nodes(record: Record, graph: str) -> list[Node]:
    """Return the nodes of a graph in execution order."""
    return [
        Node(row["node"], row["kind"], row["operator"], row["module"], tuple(row["reads"].split()))
        for row in nodes(record, graph)
    ]


def _fed(rows: Sequence[Row]) -> set[str]:
    """Return the nodes that depend on an input of the model."""
    found: set[str] = set()
    for row in rows:
        if row["kind"] == "input" or found & set(row["reads"].split()):
            found.add(row["node"])
    return found


def unused_nodes(rows: Sequence[Row]) -> set[str]:
    """Return the operators whose results lead to no output; assertions have no result."""
    used: set[str] = set()
    for row in reversed(rows):
        if row["kind"] == "output" or row["node"] in used:
            used |= {row["node"], *row["reads"].split()}
    return {row["node"] for row in rows if row["operator"] and row["shape"]} - used


def _layers(rows: Sequence[Row]) -> list[list[tuple[Any, ...]]]:
    """Return what each encoder layer does: its operators with shapes, types and parameters."""
    layers: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        if row["module"].startswith(LAYER):
            number, _, inside = row["module"].removeprefix(LAYER).partition(".")
            columns = ("operator", "input_shapes", "shape", "dtype", "parameters")
            layers.setdefault(number, []).append((inside, *(row[column] for column in columns)))
    return list(layers.values())
