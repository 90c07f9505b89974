"""What eight chains said of how far chains differ. Written by tests/method/learn_chains.py."""

from typing import NamedTuple


class Learned(NamedTuple):
    """Of a kind of comparison: the experiment that made both models."""

    share: float
    """The standard deviation between chains, as a share of the answers in which models differ."""
    freedom: float
    """How many degrees of freedom this knowledge is worth."""


LEARNED: dict[str, Learned] = {}
