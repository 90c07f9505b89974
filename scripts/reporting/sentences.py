"""Sentences about claims, chosen by their verdicts, and read from the answers that say them.

Each carries a mark: how sure the sentence itself is, whatever the claim asserted. Macros leave
comments where an answer says something about a claim; they are read, and removed, once the answer
is complete.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from labs.claims.claim import CONFIRMED, NO_DIFFERENCE, NOT_MEASURED, REFUTED, UNDECIDED, Claim
from labs.records.quantity import Quantity
from labs.setup.devices import NO_CUDA
from reporting.prose import Start, fill

SHOWN, SAME, OPEN, COUNTED, ABSENT = (
    "shown",
    "no difference",
    "open",
    "counted",
    "not measured",
)
MARKS = {
    CONFIRMED: SHOWN,
    REFUTED: SHOWN,
    NO_DIFFERENCE: SAME,
    UNDECIDED: OPEN,
    NOT_MEASURED: ABSENT,
}
"""The mark of a sentence, by the verdict that chose it, where the claim was judged by an interval;
what was counted or compared exactly is marked so, whether the claim holds or not."""

NONE_THAT_MATTERS = "There is no difference that matters."
# What stands before the words of a claim that has no sentence for its verdict.
BEFORE_STATEMENT = {
    CONFIRMED: "",
    REFUTED: "This does not hold: ",
    NO_DIFFERENCE: f"{NONE_THAT_MATTERS} Tested was: ",
    UNDECIDED: "Whether this holds is open: ",
}
SAID = re.compile(r"<!--said:(.*?)-->(.*?)<!--/said-->", re.DOTALL)
ROW = re.compile(r"<!--row:(.*?):(.*?)-->", re.DOTALL)
OMITTED = re.compile(r"<!--omitted:(.*?)/omitted-->", re.DOTALL)
SHOWS = re.compile(r"<!--shows:(.*?)-->")
DECIDES = re.compile(r"<span class=\"aside\" data-decides>.*?</span>")


def mark(claim: Claim) -> str:
    """Return how sure the sentence is that the claim's verdict chooses."""
    exact = claim.verdict in (CONFIRMED, REFUTED) and not claim.has_interval
    return COUNTED if exact else MARKS[claim.verdict]


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
    """Return the sentence for the claim's verdict, or its statement where there is none.

    Where no difference matters, and no sentence is for that, it is the one for a refuted claim
    with a second one that says so: what is ahead by too little to matter is not ahead. All
    sentences are filled, so that a wrong name in any of them is found.
    """
    if claim.verdict == NOT_MEASURED:
        return not_measured(claim)
    sentences = {
        CONFIRMED: confirmed,
        REFUTED: refuted,
        NO_DIFFERENCE: same or (refuted and f"{refuted} {NONE_THAT_MATTERS}"),
        UNDECIDED: undecided,
    }
    filled = {verdict: fill(value, words, at) for verdict, words in sentences.items()}
    return filled[claim.verdict] or escape(BEFORE_STATEMENT[claim.verdict] + claim.statement)


def not_measured(claim: Claim) -> Markup:
    """Return the sentence for a claim that was not measured. On the CPU it says what was not."""
    if claim.device == "cpu":
        return Markup("Not measured, as {}: {}").format(absence(claim), claim.statement)
    return Markup("Not measured on {}: {}.").format(claim.device, absence(claim))


def absence(claim: Claim) -> str:
    """Return why a claim was not measured."""
    reason = claim.reason.rstrip(".")
    return "no CUDA device was found here" if reason == NO_CUDA else reason


def deciding(claim: Claim) -> str:
    """Return what would decide a claim that is open."""
    if claim.reason:
        return claim.reason[:1].upper() + claim.reason[1:]
    unit = claim.estimate.unit if claim.estimate else ""
    wanted = {"ratio": "More processes", "points": "More reviews or seeds"}
    return f"{wanted.get(unit, 'A narrower interval')} would decide"


def decided_once(short: str) -> Markup:
    """Keep only the first of equal words on what would decide an open sentence."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        words = match[0]
        new = words not in seen
        seen.add(words)
        return words if new else ""

    return Markup(DECIDES.sub(first, short))


def said(claim: Claim, text: str) -> Markup:
    """Mark what an answer says about a claim."""
    return Markup("<!--said:{}-->{}<!--/said-->").format(claim.id, text)


def row_said(claim: Claim, text: str) -> Markup:
    """Mark the row of a table about a claim; the text says what the row does."""
    return Markup("<!--row:{}:{}-->").format(claim.id, text)


def omitted(words: str) -> Markup:
    """Mark that a table or figure is left out of the print."""
    return Markup("<!--omitted:{}/omitted-->").format(words)


def shows(claim: Claim) -> Markup:
    """Mark that an answer names who has published otherwise than a claim's verdict."""
    return Markup(f"<!--shows:{claim.id}-->")


class Answer(NamedTuple):
    """An answer's HTML; what it says on each claim, by the claim's id, in its text or else in a
    table; the ids of the claims for which it names who has published otherwise, in order; and the
    tables and figures that print leaves out.
    """

    html: Markup
    sentences: Mapping[str, Markup]
    claims: Sequence[str]
    omitted: Sequence[Markup]


def read(marked: str) -> Answer:
    """Read the comments of an answer. What it first says on a claim becomes a place to link to."""
    sentences: dict[str, Markup] = {}

    def placed(match: re.Match[str]) -> str:
        claim, text = match.groups()
        if claim in sentences:
            return text
        sentences[claim] = Markup(text)
        return f'<span id="said-{claim}">{text}</span>'

    def placed_row(match: re.Match[str]) -> str:
        claim, text = match.groups()
        first = claim not in sentences
        sentences.setdefault(claim, Markup(text))
        return f'<span id="said-{claim}"></span>' if first else ""

    claims = list(dict.fromkeys(SHOWS.findall(marked)))
    absent = list(map(Markup, OMITTED.findall(marked)))
    html = ROW.sub(placed_row, SAID.sub(placed, SHOWS.sub("", OMITTED.sub("", marked))))
    return Answer(Markup(html), sentences, claims, absent)
