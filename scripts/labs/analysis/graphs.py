"""What a record of graphs says: nodes by kind and operator, what differs, shapes, and outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from labs.analysis.frame import Value, exactly, fact, slug
from labs.analysis.graph_difference import (
    AFTER,
    BEFORE,
    BOTH,
    WEIGHTS,
    Box,
    Node,
    align,
    difference,
    merge_runs,
    neighbourhood,
)
from labs.records import Record

Row = dict[str, Any]

GRAPHS = {
    "ids": "tokens",
    "removed": "dropouts removed",
    "mask": "with mask",
    "labels": "with mask, labels",
    "training": "train mode",
}
COMPARISONS = {
    "removal": ("removed", "ids"),
    "mask": ("ids", "mask"),
    "labels": ("mask", "labels"),
    "training": ("ids", "training"),
}
"""The graph with less, and the one with more."""
DRAWN = ("mask", "labels")
OPERATOR = "call_function"
LAYER = "bert.encoder.layer."
ATTEMPTS = {
    "erase": "erase a dropout, uses not redirected",
    "symbolic_trace": "torch.fx.symbolic_trace of the model",
    "symbolic_trace, logits alone": "the same, of the model as a function of its tokens",
    "transformers' tracer": "import of transformers.utils.fx",
}


def prefix(record: Record) -> str:
    """Return what the names of this record's values begin with."""
    return f"graphs.{record['device']}"


def nodes(record: Record, graph: str) -> list[Row]:
    """Return the nodes of a graph in running order, each with its operator ("" if it has none)."""
    return [
        {**row["case"], "operator": row["value"] if row["case"]["kind"] == OPERATOR else ""}
        for row in record["facts"]
        if row["name"] == "node" and row["arm"] == graph
    ]


def values(record: Record) -> dict[str, Value]:
    """Return every number about this record that the report may quote, by name."""
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
        ("shapes inferred", "ids"),
        ("shapes inferred wrongly", "ids"),
    ):
        count(f"{slug(arm)}.{slug(name)}", fact(record, name, arm)[0])
    for row in record["facts"]:
        if row["name"] == "differing elements":
            count(f"{slug(row['arm'])}.differing", row["value"])
            count(f"{slug(row['arm'])}.elements", row["case"]["elements"])
        if row["name"] == "error":
            count(f"{slug(row['arm'])}.error", row["value"] != "")
    for name, (less, more) in COMPARISONS.items():
        changed = list(_changed(record, less, more))
        count(f"{name}.added", sum(first is None for first, _ in changed))
        count(f"{name}.gone", sum(second is None for _, second in changed))
    rows = nodes(record, "ids")
    count("ids.parameters-read", sum(row["parameters"] for row in rows))
    layers = _layers(rows)
    count("layers.all", len(layers))
    count("layers.different", sum(layer != layers[0] for layer in layers))
    left = mask_nodes(record)
    count("left.nodes", len(left))
    count("left.constant", len(left) - len(_fed(rows) & left))
    count("left.unused", len(left & _unused(rows)))
    error = next(row["error"] for row in record["checks"] if row["arm"] == "exported")
    found[f"{start}.exported.error"] = exactly(error, "ratio")
    return found


def mask_nodes(record: Record) -> set[str]:
    """Return the nodes that work on the attention mask in the graph that is given none.

    They are the operators of the modules in which a mask adds some.
    """
    changed = (second for first, second in _changed(record, *COMPARISONS["mask"]) if not first)
    modules = {node.module for node in changed if node and node.operator}
    return {
        row["node"] for row in nodes(record, "ids") if row["operator"] and row["module"] in modules
    }


def loss_operators(record: Record) -> list[str]:
    """Return the operators that labels add, without their overloads."""
    changed = (second for first, second in _changed(record, *COMPARISONS["labels"]) if not first)
    return [node.operator.split(".")[0] for node in changed if node and node.operator]


def _changed(record: Record, less: str, more: str) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield the nodes that only one of two graphs has."""
    pairs = align(_graph(record, less), _graph(record, more))
    return ((first, second) for first, second in pairs if first is None or second is None)


def _graph(record: Record, graph: str) -> list[Node]:
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


def _unused(rows: Sequence[Row]) -> set[str]:
    """Return the operators whose results lead to no output; a check has no result."""
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


def operator_table(record: Record) -> pd.DataFrame:
    """Return one row a kind of node or operator: how many of them each graph holds."""
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
            **{graph: counts[graph][kind, operator] for graph in GRAPHS},
        }
        for kind, operator in keys
    ]
    total = {graph: sum(counts[graph].values()) for graph in GRAPHS}
    return pd.DataFrame([*table, {"kind": "all", "operator": "all nodes", **total}])


def change_table(record: Record) -> pd.DataFrame:
    """Return one row a node that only one graph of a comparison holds, with the line it is from."""
    table = []
    for comparison, (less, more) in COMPARISONS.items():
        rows = {graph: {row["node"]: row for row in nodes(record, graph)} for graph in (less, more)}
        for first, second in _changed(record, less, more):
            node, graph = (second, more) if second else (first, less)
            assert node is not None
            row = rows[graph][node.name]
            table.append(
                {
                    "comparison": comparison,
                    "only_in": GRAPHS[graph],
                    "node": node.name,
                    "operator": row["operator"] or row["kind"],
                    "module": module_name(row),
                    "shape": row["shape"],
                    "source": row["source"],
                }
            )
    return pd.DataFrame(table)


def drawn(record: Record, comparison: str) -> dict[str, Box]:
    """Return the boxes of a comparison's drawing, by name."""
    less, more = (_graph(record, graph) for graph in COMPARISONS[comparison])
    return merge_runs(neighbourhood(difference(less, more)))


def box_table(record: Record) -> pd.DataFrame:
    """Return one row a box of the drawings: its label, which of the graphs hold it, and in which of
    them it leads to no output; ``outside`` is the module of a box beside the modules that differ.
    """
    table = []
    for comparison in DRAWN:
        boxes = drawn(record, comparison)
        unused = [_unused(nodes(record, graph)) for graph in COMPARISONS[comparison]]
        changed = {box.node.module for box in boxes.values() if box.status != BOTH}
        for name, box in boxes.items():
            row = {"comparison": comparison, "box": name, "label": box.label, "status": box.status}
            row["outside"] = "" if box.node.module in changed else box.node.module
            for graph, names in zip((BEFORE, AFTER), unused, strict=True):
                row[f"unused_{graph}"] = box.node.name in names
            table.append(row)
    return pd.DataFrame(table)


def edge_table(record: Record) -> pd.DataFrame:
    """Return one row an edge of the drawings."""
    return pd.DataFrame(
        [
            {"comparison": comparison, "source": source, "target": name, "status": status}
            for comparison in DRAWN
            for name, box in drawn(record, comparison).items()
            for source, status in box.reads.items()
        ]
    )


def module_table(record: Record) -> pd.DataFrame:
    """Return one row a module of the graph of tokens: its operators, and the modules it reads.

    A module without children, such as a linear layer, counts to the one that holds it.
    """
    rows = [row for row in nodes(record, "ids") if row["kind"] not in WEIGHTS]
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
    """Return the module that a node is counted to; an input or an output is a group of its own."""
    if not row["operator"]:
        return str(row["node"])
    path = row["module"]
    has_children = any(other.startswith(f"{path}.") for other in paths)
    return module_name({"module": path if has_children else path.rpartition(".")[0]})


def module_name(row: Row) -> str:
    """Return the path of a node's module; the model itself has none, and is called so."""
    return row["module"] or "model"


def node_table(record: Record) -> pd.DataFrame:
    """Return one row a node of the graph of tokens: operator, shapes, type, bytes, parameters."""
    return pd.DataFrame(nodes(record, "ids"))


def shape_table(record: Record) -> pd.DataFrame:
    """Return the node table without placeholders, runs of one operator as one row, and of encoder
    layers the first (the others are the same if the claim says so).
    """
    rows = [row for row in nodes(record, "ids") if row["kind"] == OPERATOR]
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
        name = row["operator"].removesuffix(".default")
        row["what"] = name if row["count"] == 1 else f"{name} ×{row['count']}"
        row["memory"] = fact(record, "memory", "ids", node=row["node"])[0]
        row["module"] = module_name(row)
    return pd.DataFrame(table)


def _continues(previous: Row, row: Row) -> bool:
    """Whether a node goes on where the row above ends: the same operator, reading nothing else."""
    same = all(previous.get(key) == row[key] for key in ("operator", "module"))
    return same and row["reads"] == previous["last"]


def output_table(record: Record) -> pd.DataFrame:
    """Return one row a comparison of outputs: what with what, and how many elements differ."""
    return pd.DataFrame(
        [
            {
                "output": row["arm"],
                "reference": row["case"]["reference"],
                "elements": row["case"]["elements"],
                "differing": row["value"],
            }
            for row in record["facts"]
            if row["name"] == "differing elements"
        ]
    )


def error_table(record: Record) -> pd.DataFrame:
    """Return one row an attempt that may fail, with what it says."""
    return pd.DataFrame(
        [
            {"attempt": words, "error": fact(record, "error", arm)[0] or "none"}
            for arm, words in ATTEMPTS.items()
        ]
    )


TABLES: dict[str, Callable[[Record], pd.DataFrame]] = {
    "graphs_operators": operator_table,
    "graphs_changes": change_table,
    "graphs_boxes": box_table,
    "graphs_edges": edge_table,
    "graphs_modules": module_table,
    "graphs_nodes": node_table,
    "graphs_shapes": shape_table,
    "graphs_outputs": output_table,
    "graphs_errors": error_table,
}
