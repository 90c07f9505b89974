"""Lab 0's passes over graphs of ATen operators: analysis passes read, transform passes change."""

from typing import Any

import torch
from torch.fx import Graph, Node

DROPOUTS = frozenset(
    getattr(torch.ops.aten, name).default
    for name in ("dropout", "dropout_", "alpha_dropout", "feature_dropout", "feature_alpha_dropout")
)
"""What nn.Dropout (in place too), AlphaDropout, Dropout1d to 3d, FeatureAlphaDropout export to."""


def dropouts(graph: Graph) -> list[Node]:
    """Return the dropout nodes, in the order they run: the analysis pass counts them."""
    return [node for node in graph.nodes if node.target in DROPOUTS]


def remove_dropouts(graph: Graph) -> None:
    """Erase every dropout node and hand its input to whatever read it: the transform pass."""
    for node in dropouts(graph):
        node.replace_all_uses_with(node.all_input_nodes[0])
        graph.erase_node(node)
    graph.lint()


def attention_dropouts(graph: Graph) -> list[Node]:
    """Return the fused attention nodes with dropout, which is an argument and not a node."""
    return [node for node in graph.nodes if argument(node, "dropout_p")]


def silence_attention(graph: Graph) -> None:
    """Set the dropout probability of every fused attention node to zero."""
    for node in attention_dropouts(graph):
        place = _names(node).index("dropout_p")
        if place < len(node.args):
            node.update_arg(place, 0.0)
        else:
            node.update_kwarg("dropout_p", 0.0)


def argument(node: Node, name: str) -> Any:
    """Return a node's argument for a parameter of its operator's schema; None if not given."""
    given = dict(zip(_names(node), node.args, strict=False)) | dict(node.kwargs)
    return given.get(name)


def _names(node: Node) -> list[str]:
    """Return the parameter names of a node's operator; none for other nodes."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return []
    return [parameter.name for parameter in node.target._schema.arguments]
