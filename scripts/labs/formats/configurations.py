"""Configurations of the number formats: the labs', at other widths, and as one text."""

from collections.abc import Mapping, Sequence
from typing import Any

from labs.formats.factory import make_quantizer
from labs.formats.names import EXPONENT, FORMATS


def configuration(spelled: str) -> dict[str, Any]:
    """Return the configuration of a format written as "integer 8:4", "block_fp 4" or "binary".

    Without a width it is the labs'. Raises ValueError for anything else.
    """
    name, _, width = spelled.partition(" ")
    if name not in FORMATS:
        raise ValueError(f"{spelled!r} names no format; allowed: {', '.join(FORMATS)}")
    config = {"name": name, **FORMATS[name]}
    if width:
        whole, _, fraction = width.partition(":")
        config |= _at_width(config, int(whole))
        if fraction:
            config["frac_width"] = int(fraction)
    make_quantizer(config)
    return config


def at_widths(name: str, widths: Sequence[int]) -> list[str]:
    """Return a format at each of these widths that it can have; by name if it has no width."""
    if "width" not in FORMATS[name]:
        return [name]
    return [f"{name} {width}" for width in widths if _exists(f"{name} {width}")]


def _at_width(config: Mapping[str, Any], width: int) -> dict[str, Any]:
    """Return what changes with the width.

    Half of a fixed-point number is fractional, as in question 1.1. A minifloat keeps one bit for
    its mantissa.
    """
    changed = {"width": width}
    if "frac_width" in config:
        changed["frac_width"] = width // 2
    if "minifloat" in config["name"]:
        changed["exponent_width"] = min(EXPONENT, width - 2)
    return changed


def _exists(spelled: str) -> bool:
    try:
        configuration(spelled)
    except ValueError:
        return False
    return True
