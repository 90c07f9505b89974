"""Operator inference and shape propagation: what every node of an exported graph is.

torch.export traces with fake tensors, which have shape, type and device but no data, and stores
them in ``node.meta``.  This analysis pass only reads; nothing is run.
"""

import torch
from torch import fx
from torch.export import ExportedProgram

from labs.experiments.graphs.node import BUFFER, INPUT, PARAMETER, Node


def describe(program: ExportedProgram) -> list[Node]:
    """Return a description of every node, in the order they run."""
    signature = program.graph_signature
    roles = dict.fromkeys(signature.inputs_to_parameters, PARAMETER)
    roles |= dict.fromkeys(signature.inputs_to_buffers, BUFFER)
    return [_describe(node, roles) for node in program.graph.nodes]


def _describe(node: fx.Node, roles: dict[str, str]) -> Node:
    is_operator = isinstance(node.target, torch._ops.OpOverload)
    output = node.meta.get("val")
    tensor = output if isinstance(output, torch.Tensor) else None
    read = [parent for parent in node.all_input_nodes if roles.get(parent.name) == PARAMETER]
    data = [parent for parent in node.all_input_nodes if parent not in read]
    return Node(
        node=node.name,
        kind=roles.get(node.name, INPUT) if node.op == "placeholder" else node.op,
        module=_module(node) if is_operator else "",
        reads=" ".join(parent.name for parent in node.all_input_nodes),
        input_shapes=", ".join(_shape(parent.meta["val"]) for parent in data),
        shape="" if tensor is None else _shape(tensor),
        dtype="" if tensor is None else str(tensor.dtype).removeprefix("torch."),
        bytes=0 if tensor is None else tensor.numel() * tensor.element_size(),
        parameters=sum(parent.meta["val"].numel() for parent in read),
        source=_source(node),
        operator=str(node.target).removeprefix("aten.") if is_operator else "",
    )


def _module(node: fx.Node) -> str:
    """Return the path of the innermost module of a node; "" is the model itself."""
    stack = node.meta.get("nn_module_stack") or {"": ("", "")}
    return str(list(stack.values())[-1][0])


def _shape(tensor: torch.Tensor) -> str:
    """Return "8×128×128"; "scalar" for a tensor without dimensions."""
    return "×".join(str(size) for size in tensor.shape) or "scalar"


def _source(node: fx.Node) -> str:
    """Return the innermost line of the model's own code that made the node, without its path."""
    frames = (node.meta.get("stack_trace") or "").strip().split('File "')
    of_model = [frame for frame in frames[1:] if "/torch/nn/" not in frame]
    return of_model[-1].splitlines()[1].strip() if of_model else ""
