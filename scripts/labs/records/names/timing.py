"""Names that all timed experiments share."""

from __future__ import annotations


def again(arm: str) -> str:
    """Return the name of an arm's second timing, which gives the noise floor."""
    return f"{arm} again"
