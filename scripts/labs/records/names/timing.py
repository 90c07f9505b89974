"""Words that all timed experiments share."""

from __future__ import annotations


def again(arm: str) -> str:
    """Return the name of an arm that is timed a second time, for the noise floor."""
    return f"{arm} again"
