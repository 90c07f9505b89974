"""Tables of the graphs: what the report prints and draws."""

from collections import Counter

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact
from labs.experiments.graphs.difference.edits import (
    AFTER,
    BEFORE,
    BOTH,
    WEIGHTS,
    Box,
    difference,
    merge_runs,
    neighbourhood,
)
from labs.experiments.graphs.names import IDS
from labs.experiments.graphs.values import (
    COMPARISONS,
    GRAPHS,
    LAYER,
    OPERATOR,
    Row,
    changed_nodes,
    graph_nodes,
    nodes,
    unused_nodes,
)
from labs.records.record import Record

ANALYSIS = Analysis("graphs")

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
        graph: Counter((row["kind"], row["operator"]) for row in nodes(record, graph))
        for graph in GRAPHS
    }
    keys = list(dict.fromkeys(key for graph in GRAPHS for key in counts[graph]))
    keys.sort(key=lambda key: (key[0] == "output", key[0] == OPERATOR))
    table: list[Row] = [
        {
            "kind": "output" if kind == "output" else OPERATOR if operator else "placeholder",
            "operator": operator or kind,
            **{graph: counts[graph][kind, operator] or None for graph in GRAPHS},
        }
        for kind, operator in keys
    ]
    total = {graph: sum(counts[graph].values()) for graph in GRAPHS}
    rows = [*table, {"kind": "all", "operator": "all nodes", **total}]
    return pd.DataFrame(rows).astype(dict.fromkeys(GRAPHS, "Int64"))


@ANALYSIS.table("graphs_changes")
def change_table(record: Record) -> pd.DataFrame:
    """Return one row per source line (or input) of the model with nodes in one graph only."""
    table: dict[tuple[str, str], Row] = {}
    for comparison, (less, more) in COMPARISONS.items():
        rows = {graph: {row["node"]: row for row in nodes(record, graph)} for graph in (less, more)}
        for first, second in changed_nodes(record, less, more):
            node, graph = (second, more) if second else (first, less)
            assert node is not None
            source = rows[graph][node.name]["source"] or f"input {node.name}"
            line: Row = {"comparison": comparison, "only_in": GRAPHS[graph], "source": source}
            line |= {"nodes": 0, "operators": Counter()}
            line = table.setdefault((comparison, source), line)
            line["nodes"] += 1
            line["operators"][node.operator or node.kind] += 1
    for line in table.values():
        line["operators"] = ", ".join(times(*one) for one in line["operators"].items())
    return pd.DataFrame(list(table.values()))


def times(name: str, count: int) -> str:
    """Return a name with its count, if more than one."""
    return name if count == 1 else f"{name} ×{count}"


def drawn(record: Record, comparison: str) -> dict[str, Box]:
    """Return the boxes of a comparison's drawing, by name."""
    less, more = (graph_nodes(record, graph) for graph in COMPARISONS[comparison])
    return merge_runs(neighbourhood(difference(less, more)))


@ANALYSIS.table("graphs_boxes")
def box_table(record: Record) -> pd.DataFrame:
    """Return one row per box of the drawings: its label, which graphs have it, and in which of them
    it leads to no output; ``outside`` is the module of a box outside the modules that differ.
    """
    table = []
    for comparison in DRAWN:
        boxes = drawn(record, comparison)
        unused = [unused_nodes(nodes(record, graph)) for graph in COMPARISONS[comparison]]
        inside = {box.node.module for box in boxes.values() if box.status != BOTH}
        for name, box in boxes.items():
            row: Row = {"comparison": comparison, "box": name, "label": box.label}
            row["status"] = box.status
            row["outside"] = "" if box.node.module in inside else box.node.module
            for graph, names in zip((BEFORE, AFTER), unused, strict=True):
                row[f"unused_{graph}"] = box.node.name in names
            table.append(row)
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
    rows = [row for row in nodes(record, IDS) if row["kind"] not in WEIGHTS]
    paths = {row["module"] for row in rows}
    groups = {row["node"]: _group(row, paths) for row in rows}
    table: dict[str, Row] = {}
    for row in rows:
        group = groups[row["node"]]
        line = table.setdefault(
            group, {"module": group, "operators": Counter(), "reads": {}, "parameters": 0}
        )
        if row["operator"]:
            line["operators"][row["operator"].split(".")[0]] += 1
        line["parameters"] += row["parameters"]
        line["reads"] |= {groups[name]: None for name in row["reads"].split() if name in groups}
    for group, line in table.items():
        line["operators"] = " ".join(f"{name}:{n}" for name, n in line["operators"].items())
        line["reads"] = " ".join(name for name in line["reads"] if name != group)
    return pd.DataFrame(list(table.values()))


def _group(row: Row, paths: set[str]) -> str:
    """Return the module that a node is counted with; an input or output forms its own group."""
    if not row["operator"]:
        return str(row["node"])
    path = row["module"]
    has_children = any(other.startswith(f"{path}.") for other in paths)
    return module_name({"module": path if has_children else path.rpartition(".")[0]})


def module_name(row: Row) -> str:
    """Return the path of a node's module, or "model" for the model itself."""
    return row["module"] or "model"


@ANALYSIS.table("graphs_nodes")
def node_table(record: Record) -> pd.DataFrame:
    """Return one row per node of the token graph: operator, shapes, type, bytes, parameters."""
    return pd.DataFrame(nodes(record, IDS))


@ANALYSIS.table("graphs_shapes")
def shape_table(record: Record) -> pd.DataFrame:
    """Return the node table's operators, with each run of one operator as one row, and only the
    first encoder layer (a claim says whether the others are equal).
    """
    rows = [row for row in nodes(record, IDS) if row["kind"] == OPERATOR]
    first = f"{LAYER}0."
    rows = [row for row in rows if not row["module"].startswith(LAYER) or first in row["module"]]
    table: list[Row] = []
    for row in rows:
        previous = table[-1] if table else {}
        if _continues(previous, row):
            previous |= {"last": row["node"], "shape": row["shape"], "count": previous["count"] + 1}
        else:
            table.append({**row, "last": row["node"], "count": 1})
    for row in table:
        row["what"] = times(row["operator"].removesuffix(".default"), row["count"])
        row["short_module"] = module_name(row).removeprefix("bert.").removeprefix("encoder.layer.")
        row["computes"] = row["shape"] + ("" if row["dtype"] == "float32" else f" {row['dtype']}")
        memory = fact(record, "memory", IDS, node=row["node"])
        row["new_bytes"] = None if "shared" in memory else row["bytes"]
        row["parameters"] = row["parameters"] or None
    counts = dict.fromkeys(("new_bytes", "parameters"), "Int64")
    return pd.DataFrame(table).astype(counts)


def _continues(previous: Row, row: Row) -> bool:
    """Return whether a node continues the row above: the same operator, reading nothing else."""
    same = all(previous.get(key) == row[key] for key in ("operator", "module"))
    return same and row["reads"] == previous["last"]


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
    return pd.DataFrame(
        {"pass": row["arm"], "code": row["value"]}
        for row in record["facts"]
        if row["name"] == "code"
    )
