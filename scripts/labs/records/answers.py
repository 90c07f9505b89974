"""Which answers are correct, packed into text for a record."""

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
