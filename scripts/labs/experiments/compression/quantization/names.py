"""The curves of fixed-point models, and the two ways to make their points."""

PTQ, QAT = "PTQ", "QAT"
FLOAT32 = "float32"
"""The format of the model that is not quantized: the baseline."""

WIDTHS, INTEGER_BITS, FRACTIONAL_BITS = "widths", "integer-bits", "fractional-bits"
EPOCHS, RATES, ADVISED = "epochs", "rates", "advised"

FRACTION, INTEGERS = 4, 5
"""Fractional bits on the curve of integer bits, integer bits on the curve of fractional bits."""


ADVISED_FORMAT = "8:5"
"""What a published report recommends: Q3.5, 3 integer bits and 5 fractional ones."""


def fixed_point(width: int, fraction: int) -> str:
    """Return a format as it is written: 8:4 has 8 bits, 4 of them fractional."""
    return f"{width}:{fraction}"


def width_of(spelled: str) -> int:
    """Return the width of a format such as 8:4."""
    return 32 if spelled == FLOAT32 else int(spelled.split(":")[0])


def fraction_of(spelled: str) -> int:
    """Return the fractional width of a format such as 8:4."""
    return 0 if spelled == FLOAT32 else int(spelled.split(":")[1])
