"""Sentences about claims, chosen by their verdicts."""

from collections.abc import Callable

from markupsafe import Markup

from reporting import marks
from reporting.evidence import (
    CONFIRMED,
    NO_DIFFERENCE,
    NOT_MEASURED,
    REFUTED,
    UNDECIDED,
    Claim,
)
from reporting.prose import Start, fill
from reporting.text import Quantity

NONE_THAT_MATTERS = "There is no difference that matters."


def sentence(
    value: Callable[[str], Quantity],
    claim: Claim,
    at: str | Start = "",
    *,
    confirmed: str = "",
    refuted: str = "",
    same: str = "",
    undecided: str = "",
) -> Markup:
    """Return the sentence for the claim's verdict, or its statement if there is none, with marks.

    Where no difference matters, and no sentence is for that, it is the one for a refuted claim
    with a second one that says so: what is ahead by too little to matter is not ahead. All
    sentences are filled, so that a wrong name in any of them is found.
    """
    if claim.verdict == NOT_MEASURED:
        return marks.sentence(claim.id, not_measured(claim))
    sentences = {
        CONFIRMED: confirmed,
        REFUTED: refuted,
        NO_DIFFERENCE: same or (refuted and f"{refuted} {NONE_THAT_MATTERS}"),
        UNDECIDED: undecided,
    }
    filled = {verdict: fill(value, words, at) for verdict, words in sentences.items()}
    return marks.sentence(claim.id, filled[claim.verdict] or claim.statement)


def not_measured(claim: Claim) -> Markup:
    """Return the sentence for a claim that was not measured."""
    reason = claim.reason.removeprefix(f"{NOT_MEASURED}:").strip().rstrip(".")
    return Markup("Not measured on {}: {}.").format(claim.device, reason)
