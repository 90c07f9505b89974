"""Whether a claim and a published statement are about the same thing: the conditions of both."""

from collections.abc import Mapping
from typing import Any

Conditions = Mapping[str, Any]
"""Values by settings of config.yaml, as they are named below their preset: `fusion.shape`."""


def differing(claim: Conditions, published: Conditions) -> dict[str, Any]:
    """Return the published conditions that a claim has as well, with another value.

    What only one of the two names decides nothing.
    """
    return {
        name: value
        for name, value in published.items()
        if name in claim and not _agree(claim[name], value)
    }


def _agree(here: Any, there: Any) -> bool:
    """Return whether two values are one, or the first is among those that were run there.

    A list on both sides is one value, such as a shape.
    """
    if isinstance(there, list) and not isinstance(here, list):
        return here in there
    return bool(here == there)


def held(
    claim: Conditions, statements: Mapping[str, Conditions]
) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """Return which statements a claim is held against, and in what the others differ from it."""
    differ = {name: differing(claim, published) for name, published in statements.items()}
    return (
        [name for name, found in differ.items() if not found],
        {name: found for name, found in differ.items() if found},
    )
