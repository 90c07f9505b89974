"""Tables of the graphs: what the report prints and draws."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, rows
from labs.experiments.graphs.difference import edits
from labs.experiments.graphs.difference.edits import AFTER, BEFORE, BOTH
from labs.experiments.graphs.names import IDS, times
from labs.experiments.graphs.node import OPERATOR, WEIGHTS, Node
from labs.experiments.graphs.values import (
    COMPARISONS,
    GRAPHS,
    LAYER,
    changed_nodes,
    nodes,
    unused_nodes,
)
from labs.records.record import Record

ANALYSIS = Analysis("graphs")

MODEL = "model"
"""The name of the module that is the model itself."""

DRAWN = ("mask", "labels")
ATTEMPTS = {
    "erase": ("erasing", "erase a dropout, uses not redirected"),
    "symbolic_trace": ("tracing", "torch.fx.symbolic_trace of the model"),
    "symbolic_trace, logits alone": ("tracing", "the same, from tokens to logits alone"),
    "transformers' tracer": ("tracing", "import of transformers.utils.fx"),
}
OF_INPUTS = ("a mask of ones", "a mask with padding", "logits with labels", "loss")
"""Comparisons of outputs for different inputs; the others compare passes."""


@ANALYSIS.table("graphs_operators")
def operator_table(record: Record) -> pd.DataFrame:
    """Return one row per kind of node or operator: its count in each graph."""
    counts = {
        graph: Counter((node.kind, node.operator) for node in nodes(record, graph))
        for graph in GRAPHS
    }
    keys = list(dict.fromkeys(key for count in counts.values() for key in count))
    keys.sort(key=lambda key: (key[0] == "output", key[0] == OPERATOR))
    table: list[dict[str, Any]] = [
        {
            "kind": "output" if kind == "output" else OPERATOR if operator else "placeholder",
            "operator": operator or kind,
            **{graph: count[kind, operator] or None for graph, count in counts.items()},
        }
        for kind, operator in keys
    ]
    totals = {graph: count.total() for graph, count in counts.items()}
    table.append({"kind": "all", "operator": "all nodes", **totals})
    return pd.DataFrame(table).astype(dict.fromkeys(GRAPHS, "Int64"))


@ANALYSIS.table("graphs_changes")
def change_table(record: Record) -> pd.DataFrame:
    """Return one row per source line (or input) of the model with nodes in one graph only."""
    changes = [
        (comparison, GRAPHS[graph], node.source or f"input {node.node}", node.operator or node.kind)
        for comparison, graphs in COMPARISONS.items()
        for graph, changed in zip(graphs, changed_nodes(record, comparison), strict=True)
        for node in changed
    ]
    table = pd.DataFrame(changes, columns=["comparison", "only_in", "source", "operator"])
    lines = table.groupby(["comparison", "source"], sort=False)["operator"]
    table["nodes"], table["operators"] = lines.transform("size"), lines.transform(_counted)
    return table.drop(columns="operator").drop_duplicates(["comparison", "source"])


def _counted(operators: Iterable[str]) -> str:
    return ", ".join(times(*counted) for counted in Counter(operators).items())


def drawn(record: Record, comparison: str) -> dict[str, edits.Box]:
    """Return the boxes of a comparison's drawing, by name."""
    less, more = (nodes(record, graph) for graph in COMPARISONS[comparison])
    return edits.merge_runs(edits.neighbourhood(edits.difference(less, more)))


@ANALYSIS.table("graphs_boxes")
def box_table(record: Record) -> pd.DataFrame:
    """Return one row per box of the drawings: its label, which graphs have it, and in which of them
    it leads to no output; ``outside`` is the module of a box outside the modules that differ.
    """
    table = []
    for comparison in DRAWN:
        boxes = drawn(record, comparison)
        before, after = (unused_nodes(nodes(record, graph)) for graph in COMPARISONS[comparison])
        inside = {box.node.module for box in boxes.values() if box.status != BOTH}
        table += [
            {
                "comparison": comparison,
                "box": name,
                "label": box.label,
                "status": box.status,
                "outside": "" if box.node.module in inside else box.node.module,
                f"unused_{BEFORE}": box.node.node in before,
                f"unused_{AFTER}": box.node.node in after,
            }
            for name, box in boxes.items()
        ]
    return pd.DataFrame(table)


@ANALYSIS.table("graphs_edges")
def edge_table(record: Record) -> pd.DataFrame:
    """Return one row per edge of the drawings."""
    return pd.DataFrame(
        {"comparison": comparison, "source": source, "target": name, "status": status}
        for comparison in DRAWN
        for name, box in drawn(record, comparison).items()
        for source, status in box.reads.items()
    )


@ANALYSIS.table("graphs_modules")
def module_table(record: Record) -> pd.DataFrame:
    """Return one row per module of the token graph: its operators, and the modules it reads.

    A module without children, such as a linear layer, is counted with its parent.
    """
    shown = [node for node in nodes(record, IDS) if node.kind not in WEIGHTS]
    paths = {node.module for node in shown}
    groups = {node.node: _group(node, paths) for node in shown}
    table = []
    for group in dict.fromkeys(groups.values()):
        members = [node for node in shown if groups[node.node] == group]
        operators = Counter(node.operator.split(".")[0] for node in members if node.operator)
        read = dict.fromkeys(groups.get(name) for node in members for name in node.reads.split())
        table.append(
            {
                "module": group,
                "operators": " ".join(f"{name}:{count}" for name, count in operators.items()),
                "reads": " ".join(other for other in read if other not in (group, None)),
                "parameters": sum(node.parameters for node in members),
            }
        )
    return pd.DataFrame(table)


def _group(node: Node, paths: set[str]) -> str:
    """Return the module that a node is counted with; an input or output forms its own group."""
    if not node.operator:
        return node.node
    has_children = any(other.startswith(f"{node.module}.") for other in paths)
    return (node.module if has_children else node.module.rpartition(".")[0]) or MODEL


@ANALYSIS.table("graphs_nodes")
def node_table(record: Record) -> pd.DataFrame:
    """Return one row per node of the token graph: operator, shapes, type, bytes, parameters."""
    return pd.DataFrame(map(vars, nodes(record, IDS)))


@ANALYSIS.table("graphs_shapes")
def shape_table(record: Record) -> pd.DataFrame:
    """Return the node table's operators, with each run of one operator as one row, and only the
    first encoder layer (a claim says whether the others are equal).
    """
    table: list[dict[str, Any]] = []
    for node in nodes(record, IDS):
        other_layer = node.module.startswith(LAYER) and f"{LAYER}0." not in node.module
        if node.kind != OPERATOR or other_layer:
            continue
        above = table[-1] if table else {}
        same = (above.get("operator"), above.get("module")) == (node.operator, node.module)
        if same and node.reads == above["last"]:
            above |= {"last": node.node, "shape": node.shape, "count": above["count"] + 1}
        else:
            table.append({**vars(node), "last": node.node, "count": 1})
    for row in table:
        row["what"] = times(row["operator"].removesuffix(".default"), row["count"])
        path = row["module"] or MODEL
        row["short_module"] = path.removeprefix("bert.").removeprefix("encoder.layer.")
        row["computes"] = row["shape"] + ("" if row["dtype"] == "float32" else f" {row['dtype']}")
        memory = fact(record, "memory", IDS, node=row["node"])
        row["new_bytes"] = None if "shared" in memory else row["bytes"]
        row["parameters"] = row["parameters"] or None
    return pd.DataFrame(table).astype(dict.fromkeys(("new_bytes", "parameters"), "Int64"))


@ANALYSIS.table("graphs_outputs")
def output_table(record: Record) -> pd.DataFrame:
    """Return one row per comparison of outputs: how many of their elements differ."""
    return pd.DataFrame(
        {
            "about": "inputs" if row["arm"] in OF_INPUTS else "passes",
            "output": row["arm"],
            "reference": row["case"]["reference"],
            "elements": row["case"]["elements"],
            "differing": row["value"],
        }
        for row in record["facts"]
        if row["name"] == "differing elements"
    )


@ANALYSIS.table("graphs_errors")
def error_table(record: Record) -> pd.DataFrame:
    """Return one row per attempt that may fail, with its error message."""
    return pd.DataFrame(
        {"about": about, "attempt": words, "error": fact(record, "error", arm)[0] or "none"}
        for arm, (about, words) in ATTEMPTS.items()
    )


@ANALYSIS.table("graphs_code")
def code_table(record: Record) -> pd.DataFrame:
    """Return one row per pass: the code that ran."""
    code = rows(record, "facts", name="code").rename(columns={"arm": "pass", "value": "code"})
    return code[["pass", "code"]]
