"""A claim: a statement, the predicate's verdict, and the evidence it was judged on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from labs.analysis import statistics
from labs.analysis.frame import Value

Verdict = Literal["confirmed", "refuted", "no difference", "undecided", "not measured"]

MATTERS = 0.01
"""The least difference of shares, such as accuracies, that matters to a reader: a point, which is
about as far as another training seed moves the accuracy of these models."""


@dataclass(frozen=True)
class Claim:
    """A statement about one device with its verdict.

    ``estimate`` and ``interval`` are in ``unit``; ``reason`` says why it was not measured;
    ``contradicts`` names the published statements that its verdict speaks against.
    """

    id: str
    question: str
    statement: str
    verdict: Verdict
    device: str
    estimate: float | None = None
    interval: tuple[float, float] | None = None
    unit: str = "ratio"
    reason: str = ""
    contradicts: tuple[str, ...] = ()

    def as_row(self, machine: str, evidence: str) -> dict[str, Any]:
        """Return the claim as an object of claims.json."""
        return {
            "id": self.id,
            "question": self.question,
            "statement": self.statement,
            "verdict": self.verdict,
            "reason": self.reason,
            "estimate": self.estimate,
            "interval": list(self.interval) if self.interval else None,
            "unit": self.unit,
            "device": self.device,
            "machine": machine,
            "evidence": evidence,
            "contradicts": list(self.contradicts),
        }


@dataclass(frozen=True)
class Statement:
    """What a claim asserts about one device, before any data; its methods judge it.

    ``like`` are the published statements that say the same, and fall with it when it is refuted;
    ``against`` those that say the opposite, and fall when it is confirmed.
    """

    id: str
    question: str
    device: str
    words: str
    like: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    def not_measured(self, reason: str) -> Claim:
        """Return the claim without a verdict on its truth."""
        return Claim(
            self.id, self.question, self.words, "not measured", self.device, unit="", reason=reason
        )

    def decided(self, value: Value, confirmed: bool, refuted: bool) -> Claim:
        """Return the claim with the verdict of two tests: undecided where neither holds."""
        return self._judged(
            value, "confirmed" if confirmed else "refuted" if refuted else "undecided"
        )

    def _judged(self, value: Value, verdict: Verdict) -> Claim:
        speaks_against = {
            "confirmed": self.against,
            "refuted": self.like,
            "no difference": self.like,
        }
        estimate = value.estimate
        return Claim(
            self.id,
            self.question,
            self.words,
            verdict,
            self.device,
            estimate.value,
            None if math.isnan(estimate.low) else (estimate.low, estimate.high),
            value.unit,
            contradicts=speaks_against.get(verdict, ()),
        )

    def faster(self, speedup: Value, floor: float) -> Claim:
        """Return the claim that an arm is faster: refuted when it is slower or the same."""
        verdict = statistics.verdict(speedup.estimate, floor)
        return self.decided(speedup, verdict == "faster", verdict in ("slower", "same"))

    def above(self, value: Value, limit: float, replicates: Sequence[float] = ()) -> Claim:
        """Return the claim that a value lies above a limit.

        It is undecided if the value's interval holds the limit or a replicate disagrees. Of a claim
        that one share is larger than another it is looked at first whether the difference matters:
        if its whole interval is nearer to 0 than MATTERS, and so is every replicate, there is none.
        """
        low, high = _bounds(value)
        is_difference = limit == 0 and value.unit == "share" and low < high
        if is_difference and all(abs(one) < MATTERS for one in (low, high, *replicates)):
            return self._judged(value, "no difference")
        return self.decided(
            value,
            confirmed=low > limit and all(one > limit for one in replicates),
            refuted=high <= limit and all(one <= limit for one in replicates),
        )

    def below(self, value: Value, limit: float, replicates: Sequence[float] = ()) -> Claim:
        """Return the claim that a value lies below a limit, or on it.

        It is undecided if the value's interval holds the limit or a replicate disagrees.
        """
        low, high = _bounds(value)
        return self.decided(
            value,
            confirmed=high <= limit and all(one < limit for one in replicates),
            refuted=low > limit and all(one >= limit for one in replicates),
        )

    def within(self, value: Value, margin: float) -> Claim:
        """Return the claim that a value is nearer to 0 than a margin."""
        low, high = _bounds(value)
        return self.decided(
            value,
            confirmed=-margin < low and high < margin,
            refuted=high <= -margin or margin <= low,
        )

    def equals(self, value: Value, number: float) -> Claim:
        """Return the claim that something counted is exactly this number."""
        return self.holds(value, value.estimate.value == number)

    def holds(self, value: Value, true: bool) -> Claim:
        """Return the claim about something counted, which leaves nothing undecided."""
        return self.decided(value, true, not true)

    def both(self, first: Claim, second: Claim, value: Value) -> Claim:
        """Return the claim that two others hold: refuted if one of them is."""
        verdicts = {first.verdict, second.verdict}
        return self.decided(value, verdicts == {"confirmed"}, "refuted" in verdicts)


def _bounds(value: Value) -> tuple[float, float]:
    """Return the interval of a value; one that was counted is both of its bounds."""
    estimate = value.estimate
    if math.isnan(estimate.low):
        return estimate.value, estimate.value
    return estimate.low, estimate.high


Judge = Callable[[Statement], Claim]


@dataclass(frozen=True)
class Rule:
    """How a statement is judged, and what the record must hold for it (otherwise: not measured)."""

    statement: Statement
    judge: Judge
    missing: str = ""

    def __call__(self) -> Claim:
        """Return the claim, or why it could not be judged."""
        if self.missing:
            return self.statement.not_measured(self.missing)
        return self.judge(self.statement)
