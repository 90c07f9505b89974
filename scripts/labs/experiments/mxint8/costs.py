"""What a linear layer costs on paper: the bytes it moves and its operations.

``y = x Wᵀ`` with x of (rows, inputs), W of (outputs, inputs), in groups along the inputs.  The
counts are those of the arithmetic, whatever else a kernel does; a sum of n terms takes n - 1
additions.
"""

from dataclasses import dataclass

from labs.experiments.mxint8.names import BFLOAT16, FLOAT32, WEIGHTS

ITEM_BYTES = {FLOAT32: 4, BFLOAT16: 2}
"""Bytes per element of x, W and y; the MXINT8 arms take and return float32."""


@dataclass(frozen=True)
class Shape:
    """Rows of x, columns of x, columns of y, and how many inputs share a scale."""

    rows: int
    inputs: int
    outputs: int
    group_size: int

    @property
    def groups(self) -> int:
        return -(-self.inputs // self.group_size)


def bytes_moved(arm: str, shape: Shape) -> dict[str, int]:
    """Return the bytes that must be read or written once: weights, scales, activations."""
    item = ITEM_BYTES.get(arm, ITEM_BYTES[FLOAT32])
    weights, packed = shape.outputs * shape.inputs, arm not in ITEM_BYTES
    return {
        "weights": weights * (1 if packed else item),
        "scales": shape.outputs * shape.groups * packed,
        "activations": (shape.rows * (shape.inputs + shape.outputs)) * item,
    }


def operations(arm: str, shape: Shape) -> dict[str, int]:
    """Return the number of operations of each kind in the arm's arithmetic."""
    products = shape.rows * shape.outputs * shape.inputs
    sums = products - shape.rows * shape.outputs
    if arm == FLOAT32:
        return {"float32 multiply": products, "float32 add": sums}
    if arm == BFLOAT16:
        # Sums are kept in float32.
        return {"float16 multiply": products, "float32 add": sums}
    if arm == WEIGHTS:
        decoded = shape.outputs * shape.inputs
        return {
            "conversion": decoded,
            "float32 multiply": decoded + products,
            "float32 add": sums,
        }
    groups = shape.rows * shape.outputs * shape.groups
    encoded = shape.rows * shape.inputs
    return {
        "int8 multiply": products,
        "int32 add": products - groups,
        "conversion": groups + encoded,
        "float32 multiply": groups + encoded,
        "float32 add": groups - shape.rows * shape.outputs,
    }
