"""Settings in words."""

from decimal import Decimal
from typing import Any


def spelled(value: Any) -> str:
    """Return a setting's value as text: a list by its items, and 0.00003 without an exponent.

    To YAML, 3e-05 is a text.
    """
    if isinstance(value, list):
        return ", ".join(map(spelled, value))
    return f"{Decimal(str(value)):f}" if isinstance(value, float) else str(value)
