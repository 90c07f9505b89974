"""Values of the graphs: nodes, differences between graphs, and outputs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted
from labs.analysis.values import Tree
from labs.experiments.graphs.difference.edits import align
from labs.experiments.graphs.names import IDS, LABELS, MASK, REMOVED, TRAINING
from labs.experiments.graphs.node import INPUT, OPERATOR, Node
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("graphs", per_device=True)
prefix = ANALYSIS.prefix

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


def nodes(record: Record, graph: str) -> list[Node]:
    """Return the nodes of a graph in execution order."""
    return [
        Node(**row["case"], operator=row["value"] if row["case"]["kind"] == OPERATOR else "")
        for row in record["facts"]
        if row["name"] == "node" and row["arm"] == graph
    ]


@ANALYSIS.values
def values(record: Record) -> Tree:
    counts: dict[str, dict[str, float]] = defaultdict(dict)
    for row in record["facts"]:
        of_arm = counts[row["arm"]]
        if row["name"] == "differing elements":
            of_arm |= {"differing": row["value"], "elements": row["case"]["elements"]}
        elif row["name"] == "error":
            of_arm["error"] = row["value"] != ""
        elif row["unit"] == "count":
            of_arm[row["name"]] = row["value"]
    for graph in GRAPHS:
        kinds = [node.kind for node in nodes(record, graph)]
        counts[graph] |= {"nodes": len(kinds), "operators": kinds.count(OPERATOR)}
    for comparison in COMPARISONS:
        gone, added = changed_nodes(record, comparison)
        counts[comparison] |= {"gone": len(gone), "added": len(added)}
    ids = nodes(record, IDS)
    counts[IDS]["parameters-read"] = sum(node.parameters for node in ids)
    first, *others = _layers(ids)
    counts["layers"] = {"all": 1 + len(others), "different": sum(one != first for one in others)}
    left = _mask_nodes(record)
    counts["left"] = {
        "nodes": len(left),
        "constant": len(left - _fed(ids)),
        "unused": len(left & unused_nodes(ids)),
    }
    counts["exceptions"] = _exceptions(counts)
    tree = {arm: all_counted("count", numbers) for arm, numbers in counts.items()}
    error = next(row["error"] for row in record["checks"] if row["arm"] == "exported")
    tree["exported"]["error"] = counted(error, "ratio")
    return tree


def _exceptions(counts: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return how much speaks against each claim that says several things at once."""
    removal, exported, left = counts["removal"], counts["exported"], counts["left"]
    silenced = counts["train mode, attention's dropout off too"]["differing"]
    return {
        "removal": abs(removal["added"] - counts[IDS]["dropout nodes"]) + removal["gone"],
        "attention": silenced + (counts[TRAINING]["dropouts inside attention"] == 0),
        "ones": exported["masked positions"]
        + (exported["attention masks"] == 0)
        + (left["nodes"] - left["constant"]),
        "shapes": counts[IDS]["shapes inferred wrongly"] + (counts[IDS]["shapes inferred"] == 0),
        "labels": counts["loss"]["differing"]
        + counts[LABELS]["gone"]
        + (counts[LABELS]["added"] == 0),
        "mask": counts[MASK]["gone"] + (counts[MASK]["added"] == 0),
        "layers": counts["layers"]["different"] + (counts["layers"]["all"] < 2),
    }


def changed_nodes(record: Record, comparison: str) -> tuple[list[Node], list[Node]]:
    """Return the nodes that only the smaller graph has, and those that only the larger one has."""
    pairs = list(align(*(nodes(record, graph) for graph in COMPARISONS[comparison])))
    gone = [first for first, second in pairs if first and not second]
    added = [second for first, second in pairs if second and not first]
    return gone, added


def _mask_nodes(record: Record) -> set[str]:
    """Return the nodes that handle the attention mask in the graph that is given none.

    They are the operators of the modules to which a given mask adds operators.
    """
    _, added = changed_nodes(record, MASK)
    modules = {node.module for node in added if node.operator}
    return {node.node for node in nodes(record, IDS) if node.operator and node.module in modules}


def _fed(graph: Sequence[Node]) -> set[str]:
    """Return the nodes that depend on an input of the model."""
    fed: set[str] = set()
    for node in graph:
        if node.kind == INPUT or fed & set(node.reads.split()):
            fed.add(node.node)
    return fed


def unused_nodes(graph: Sequence[Node]) -> set[str]:
    """Return the operators whose results lead to no output; assertions have no result."""
    used: set[str] = set()
    for node in reversed(graph):
        if node.kind == "output" or node.node in used:
            used |= {node.node, *node.reads.split()}
    return {node.node for node in graph if node.operator and node.shape} - used


def _layers(graph: Sequence[Node]) -> list[list[tuple[Any, ...]]]:
    """Return what each encoder layer does: its operators with shapes, types and parameters."""
    layers: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for node in graph:
        if node.module.startswith(LAYER):
            number, _, inside = node.module.removeprefix(LAYER).partition(".")
            shapes = node.input_shapes, node.shape, node.dtype
            layers[number].append((inside, node.operator, *shapes, node.parameters))
    return list(layers.values())
