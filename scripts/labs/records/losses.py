"""A loss for each review, packed into text for a record."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pack_losses(losses: NDArray[np.floating[Any]]) -> str:
    """Return (n,) losses as text: 16-bit floats (three significant digits) in hexadecimal."""
    return losses.astype("<f2").tobytes().hex()


def unpack_losses(text: str) -> NDArray[np.float64]:
    """Return the (n,) losses that ``pack_losses`` turned into text."""
    return np.frombuffer(bytes.fromhex(text), dtype="<f2").astype(np.float64)
