"""Which answers are correct, and a loss for each review: packed into text for a record."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Correct = NDArray[np.bool_]


def pack(correct: Correct) -> str:
    """Return (n,) booleans as text: their number, a colon, and the bits in hexadecimal."""
    return f"{len(correct)}:{np.packbits(correct).tobytes().hex()}"


def unpack(text: str) -> Correct:
    """Return the (n,) booleans that ``pack`` turned into text."""
    number, digits = text.split(":")
    bits = np.frombuffer(bytes.fromhex(digits), dtype=np.uint8)
    return np.unpackbits(bits, count=int(number)).astype(bool)


def pack_losses(losses: NDArray[np.floating[Any]]) -> str:
    """Return (n,) losses as text: 16-bit floats (three significant digits) in hexadecimal."""
    return losses.astype("<f2").tobytes().hex()


def unpack_losses(text: str) -> NDArray[np.float64]:
    """Return the (n,) losses that ``pack_losses`` turned into text."""
    return np.frombuffer(bytes.fromhex(text), dtype="<f2").astype(np.float64)
