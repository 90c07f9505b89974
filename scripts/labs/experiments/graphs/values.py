"""Values of the graphs: nodes, differences between graphs, and outputs."""

from collections.abc import Sequence
from typing import Any

from labs.analysis.analysis import Analysis
from labs.analysis.values import slug
from labs.experiments.graphs.difference.edits import Node, align
from labs.experiments.graphs.names import IDS, LABELS, MASK, OPERATOR, REMOVED, TRAINING
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("graphs", per_device=True)
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
LAYER = "bert.encoder.layer."
COMPARED = ("operator", "input_shapes", "shape", "dtype", "parameters")
"""What equal layers have in common of each node."""


def nodes(record: Record, graph: str) -> list[Row]:
    """Return the nodes of a graph in execution order, each with its operator ("" if none)."""
    return [
        {**row["case"], "operator": row["value"] if row["case"]["kind"] == OPERATOR else ""}
        for row in record["facts"]
        if row["name"] == "node" and row["arm"] == graph
    ]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    counts: dict[str, float] = {}
    for row in record["facts"]:
        arm = slug(row["arm"])
        if row["name"] == "differing elements":
            counts |= {f"{arm}.differing": row["value"], f"{arm}.elements": row["case"]["elements"]}
        elif row["name"] == "error":
            counts[f"{arm}.error"] = row["value"] != ""
        elif row["unit"] == "count":
            counts[f"{arm}.{slug(row['name'])}"] = row["value"]
    for graph in GRAPHS:
        rows = nodes(record, graph)
        counts[f"{graph}.nodes"] = len(rows)
        counts[f"{graph}.operators"] = sum(row["kind"] == OPERATOR for row in rows)
    changes = {comparison: changed_nodes(record, comparison) for comparison in COMPARISONS}
    for comparison, (gone, added) in changes.items():
        counts |= {f"{comparison}.gone": len(gone), f"{comparison}.added": len(added)}
    counts["labels.loss"] = sum("loss" in node.operator for node in changes["labels"][1])
    rows = nodes(record, IDS)
    counts["ids.parameters-read"] = sum(row["parameters"] for row in rows)
    layers = _layers(rows)
    counts["layers.all"] = len(layers)
    counts["layers.different"] = sum(layer != layers[0] for layer in layers)
    left = _mask_nodes(rows, changes["mask"][1])
    counts["left.nodes"] = len(left)
    counts["left.constant"] = len(left - _fed(rows))
    counts["left.unused"] = len(left & unused_nodes(rows))
    values = {name: counted(count, "count") for name, count in counts.items()}
    error = next(row["error"] for row in record["checks"] if row["arm"] == "exported")
    values["exported.error"] = counted(error, "ratio")
    return {f"{prefix(record)}.{name}": value for name, value in values.items()}


def changed_nodes(record: Record, comparison: str) -> tuple[list[Node], list[Node]]:
    """Return the nodes that only the smaller graph has, and those that only the larger one has."""
    pairs = list(align(*(graph_nodes(record, graph) for graph in COMPARISONS[comparison])))
    gone = [first for first, second in pairs if first and not second]
    added = [second for first, second in pairs if second and not first]
    return gone, added


def graph_nodes(record: Record, graph: str) -> list[Node]:
    """Return the nodes of a graph in execution order, as graphs are compared."""
    return [
        Node(
            row["node"],
            row["kind"],
            row["operator"],
            row["module"],
            tuple(row["reads"].split()),
            row["source"],
        )
        for row in nodes(record, graph)
    ]


def _mask_nodes(rows: Sequence[Row], added: Sequence[Node]) -> set[str]:
    """Return the nodes that handle the attention mask in the graph that is given none.

    They are the operators of the modules to which a given mask adds operators.
    """
    modules = {node.module for node in added if node.operator}
    return {row["node"] for row in rows if row["operator"] and row["module"] in modules}


def _fed(rows: Sequence[Row]) -> set[str]:
    """Return the nodes that depend on an input of the model."""
    fed: set[str] = set()
    for row in rows:
        if row["kind"] == "input" or fed & set(row["reads"].split()):
            fed.add(row["node"])
    return fed


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
            layers.setdefault(number, []).append((inside, *(row[key] for key in COMPARED)))
    return list(layers.values())
