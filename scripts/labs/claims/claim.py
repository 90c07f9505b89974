"""A claim: a statement, the predicate's verdict, and the evidence it was judged on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from labs.analysis import statistics
from labs.analysis.frame import Value

Verdict = Literal["confirmed", "refuted", "undecided", "not measured"]


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
    """What a claim asserts about one device, before any data.

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

    def faster(self, speedup: Value, floor: float) -> Claim:
        """Return the claim that an arm is faster: refuted when it is slower or the same."""
        verdicts: dict[statistics.Verdict, Verdict] = {
            "faster": "confirmed",
            "slower": "refuted",
            "same": "refuted",
            "undecided": "undecided",
        }
        return self._claim(verdicts[statistics.verdict(speedup.estimate, floor)], speedup)

    def above(self, value: Value, limit: float) -> Claim:
        """Return the claim that a value lies above a limit: undecided if its interval holds it."""
        estimate = value.estimate
        counted = math.isnan(estimate.low)
        verdict: Verdict = "undecided"
        if (estimate.value if counted else estimate.low) > limit:
            verdict = "confirmed"
        elif (estimate.value if counted else estimate.high) <= limit:
            verdict = "refuted"
        return self._claim(verdict, value)

    def below(self, value: Value, limit: float) -> Claim:
        """Return the claim that a value lies below a limit: undecided if its interval holds it."""
        opposite: dict[Verdict, Verdict] = {"confirmed": "refuted", "refuted": "confirmed"}
        verdict = self.above(value, limit).verdict
        return self._claim(opposite.get(verdict, verdict), value)

    def within(self, value: Value, margin: float) -> Claim:
        """Return the claim that a value is no further from 0 than a margin."""
        low, high = value.estimate.low, value.estimate.high
        verdict: Verdict = "undecided"
        if -margin < low and high < margin:
            verdict = "confirmed"
        elif high <= -margin or margin <= low:
            verdict = "refuted"
        return self._claim(verdict, value)

    def positive_in_all(self, mean: Value, replicates: Sequence[float]) -> Claim:
        """Return the claim that a mean is above 0: undecided unless its replicates agree."""
        return self.above_in_all(mean, replicates, 0)

    def above_in_all(self, mean: Value, replicates: Sequence[float], limit: float) -> Claim:
        """Return the claim that a mean is above a limit: undecided unless its replicates agree."""
        claim = self.above(mean, limit)
        agree = {"confirmed": min(replicates) > limit, "refuted": max(replicates) <= limit}
        return claim if agree.get(claim.verdict, True) else self._claim("undecided", mean)

    def below_in_all(self, mean: Value, replicates: Sequence[float], limit: float) -> Claim:
        """Return the claim that a mean is below a limit: undecided unless its replicates agree."""
        claim = self.below(mean, limit)
        agree = {"confirmed": max(replicates) < limit, "refuted": min(replicates) >= limit}
        return claim if agree.get(claim.verdict, True) else self._claim("undecided", mean)

    def both(self, first: Claim, second: Claim, value: Value) -> Claim:
        """Return the claim that two others hold: refuted if one of them is."""
        verdicts = {first.verdict, second.verdict}
        if "refuted" in verdicts:
            return self._claim("refuted", value)
        return self._claim("confirmed" if verdicts == {"confirmed"} else "undecided", value)

    def undecided(self, value: Value) -> Claim:
        """Return the claim that the data leave open."""
        return self._claim("undecided", value)

    def holds(self, value: Value, true: bool) -> Claim:
        """Return the claim about something counted, which leaves nothing undecided."""
        return self._claim("confirmed" if true else "refuted", value)

    def _claim(self, verdict: Verdict, value: Value) -> Claim:
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
            contradicts={"confirmed": self.against, "refuted": self.like}.get(verdict, ()),
        )


@dataclass(frozen=True)
class Rule:
    """How a statement is judged, and what the record must hold for it (otherwise: not measured)."""

    statement: Statement
    judge: Callable[[Statement], Claim]
    missing: str = ""

    def __call__(self) -> Claim:
        """Return the claim, or why it could not be judged."""
        if self.missing:
            return self.statement.not_measured(self.missing)
        return self.judge(self.statement)
