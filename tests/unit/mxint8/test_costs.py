"""Bytes and operations counted by formula, and the lab's models, from which memory follows."""

from collections import Counter
from itertools import product

import pytest
from torch import nn

from labs.experiments.mxint8.costs import ARMS, Shape, bytes_moved, operations
from labs.experiments.mxint8.shapes import build

SHAPES = [Shape(1, 8, 3, 4), Shape(2, 8, 3, 8), Shape(3, 10, 2, 4)]


def multiplied(kind: str, terms: int, steps: Counter[str], product: str = "") -> None:
    """Count the steps of a sum of products."""
    for term in range(terms):
        steps[f"{product or kind} multiply"] += 1
        steps[f"{kind} add"] += term > 0


def steps_of(arm: str, shape: Shape) -> Counter[str]:
    """The operations of a layer, counted one by one."""
    steps: Counter[str] = Counter()
    if arm == "MXINT8 weights":
        for _ in product(range(shape.outputs), range(shape.inputs)):  # decode the weight
            steps.update(["conversion", "float32 multiply"])
    if arm == "MXINT8 weights and activations":
        for _ in product(range(shape.rows), range(shape.inputs)):  # encode x
            steps.update(["conversion", "float32 multiply"])
    for _ in product(range(shape.rows), range(shape.outputs)):
        if arm != "MXINT8 weights and activations":
            multiplied("float32", shape.inputs, steps, "float16" if arm == "bfloat16" else "")
            continue
        for group, first in enumerate(range(0, shape.inputs, shape.group_size)):
            terms = min(shape.group_size, shape.inputs - first)
            multiplied("int32", terms, steps, "int8")
            steps.update(["conversion", "float32 multiply"])  # times both scales
            steps["float32 add"] += group > 0
    return +steps


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("arm", ARMS)
def test_operations_are_those_that_a_layer_takes(arm: str, shape: Shape) -> None:
    found = {kind: count for kind, count in operations(arm, shape).items() if count}
    assert found == steps_of(arm, shape)


def test_bytes_are_those_of_the_tensors() -> None:
    shape = Shape(rows=2, inputs=10, outputs=3, group_size=4)
    assert bytes_moved("float32", shape) == {"weights": 120, "scales": 0, "activations": 104}
    assert bytes_moved("bfloat16", shape) == {"weights": 60, "scales": 0, "activations": 52}
    # Three groups per row: the last one is shorter, but has a scale too.
    packed = {"weights": 30, "scales": 9, "activations": 104}
    assert bytes_moved("MXINT8 weights", shape) == packed
    assert bytes_moved("MXINT8 weights and activations", shape) == packed


@pytest.mark.parametrize(
    ("name", "parameters", "share"),
    [("deberta-xlarge", 758_859_782, 0.930), ("deberta-v3-small", 141_899_526, 0.303)],
)
def test_a_models_parameters_and_the_share_of_its_linear_weights(
    name: str, parameters: int, share: float
) -> None:
    model = build(name, "meta")
    linear = sum(m.weight.numel() for m in model.modules() if isinstance(m, nn.Linear))
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters
    assert linear / parameters == pytest.approx(share, abs=5e-4)
