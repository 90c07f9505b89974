"""The curves of fixed-point models, and the two ways to make their points."""

PTQ, QAT = "PTQ", "QAT"

WIDTHS, INTEGER_BITS, FRACTIONAL_BITS = "widths", "integer-bits", "fractional-bits"
EPOCHS, ADVISED = "epochs", "advised"

FRACTION, INTEGERS = 4, 5
"""Fractional bits on the curve of integer bits, integer bits on the curve of fractional bits."""


ADVISED_FORMAT = "8:5"
"""What a published report recommends: Q3.5, 3 integer bits and 5 fractional ones."""
