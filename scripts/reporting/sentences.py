"""Sentences about claims, chosen by their verdicts, and read from the answers that say them.

Macros leave marks, which are comments, around the sentence on a claim, and where an answer shows
who has published otherwise. They are read, and removed, once the answer is complete.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from labs.claims.claim import CONFIRMED, NO_DIFFERENCE, NOT_MEASURED, REFUTED, UNDECIDED, Claim
from labs.records.quantity import Quantity
from reporting.prose import Start, fill

NONE_THAT_MATTERS = "There is no difference that matters."
SENTENCE = re.compile(r"<!--sentence:(.*?)-->(.*?)<!--/sentence-->", re.DOTALL)
CLAIM = re.compile(r"<!--claim:(.*?)-->")


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
        text = not_measured(claim)
    else:
        sentences = {
            CONFIRMED: confirmed,
            REFUTED: refuted,
            NO_DIFFERENCE: same or (refuted and f"{refuted} {NONE_THAT_MATTERS}"),
            UNDECIDED: undecided,
        }
        filled = {verdict: fill(value, words, at) for verdict, words in sentences.items()}
        text = filled[claim.verdict] or escape(claim.statement)
    return Markup(f"<!--sentence:{claim.id}-->{text}<!--/sentence-->")


def not_measured(claim: Claim) -> Markup:
    """Return the sentence for a claim that was not measured."""
    reason = claim.reason.removeprefix(f"{NOT_MEASURED}:").strip().rstrip(".")
    return Markup("Not measured on {}: {}.").format(claim.device, reason)


def mark_claim(claim: Claim) -> Markup:
    """Mark that an answer shows a claim, beside who has published otherwise."""
    return Markup(f"<!--claim:{claim.id}-->")


class Answer(NamedTuple):
    """An answer's HTML, its first sentence on each claim by the claim's id, and the ids of the
    claims that it shows, in order.
    """

    html: Markup
    sentences: Mapping[str, Markup]
    claims: Sequence[str]


def read(marked: str) -> Answer:
    """Read the marks of an answer."""
    claims = list(dict.fromkeys(CLAIM.findall(marked)))
    html = CLAIM.sub("", marked)
    sentences = {claim: Markup(text) for claim, text in reversed(SENTENCE.findall(html))}
    return Answer(Markup(SENTENCE.sub(r"\2", html)), sentences, claims)
