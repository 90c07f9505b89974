"""What a claim asserts, and the tests that judge it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from labs.analysis import statistics
from labs.analysis.families import Significance, significance
from labs.claims.claim import Claim, Verdict
from labs.claims.conditions import Conditions
from labs.records.names.intervals import OFTEN, RATIOS_BETWEEN_RUNS
from labs.records.quantity import Quantity

EVEN = 0.5
"""How often one of two is ahead of the other where neither has an advantage."""

MORE_WOULD_NOT_DECIDE = (
    f"more processes would not decide it: runs themselves differ by {RATIOS_BETWEEN_RUNS * 100:g} %"
)

NO_NUMBER = "the value it is judged on is not a number, such as the loss of a diverged training"

NOT_RUN = "this preset does not run"
"""How the reason of a claim begins that only a larger preset judges."""


@dataclass(frozen=True)
class Statement:
    """What a claim asserts about one device, before any data; its methods judge it.

    ``like`` are the published statements that say the same, and fall with it when it is refuted;
    ``against`` those that say the opposite, and fall when it is confirmed. Its ``conditions`` are
    those of what was measured that decide it.
    """

    id: str
    question: str
    device: str
    words: str
    like: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    conditions: Conditions = field(default_factory=dict)

    def not_measured(self, reason: str) -> Claim:
        """Return the claim without a verdict on its truth."""
        return self._claim("not measured", reason=reason)

    def decided(self, value: Quantity, confirmed: bool, refuted: bool) -> Claim:
        """Return the claim with the verdict of two tests: undecided where neither holds."""
        return self._judged(
            value, "confirmed" if confirmed else "refuted" if refuted else "undecided"
        )

    def _judged(self, value: Quantity, verdict: Verdict) -> Claim:
        if math.isnan(value.value):
            return self._claim("undecided", reason=NO_NUMBER)
        contradicts = {
            "confirmed": self.against,
            "refuted": self.like,
            "no difference": self.like,
        }
        return self._claim(verdict, estimate=value, contradicts=contradicts.get(verdict, ()))

    def _claim(self, verdict: Verdict, **others: Any) -> Claim:
        return Claim(
            id=self.id,
            question=self.question,
            statement=self.words,
            verdict=verdict,
            device=self.device,
            conditions=self.conditions,
            **others,
        )

    def faster(self, speedup: Quantity, floor: float) -> Claim:
        """Return the claim that an arm is faster: refuted when it is slower.

        It says where this speed-up would be undecided with the narrowest interval of a run, too.
        """
        verdicts: dict[statistics.Verdict, Verdict] = {
            "same": "no difference",
            "faster": "confirmed",
            "slower": "refuted",
            "undecided": "undecided",
        }
        claim = self._judged(speedup, verdicts[statistics.verdict(speedup, floor)])
        at_best = statistics.verdict(statistics.at_best(speedup.value), statistics.SMALLEST_CLAIM)
        if claim.verdict != "undecided" or at_best != "undecided":
            return claim
        return replace(claim, reason=MORE_WOULD_NOT_DECIDE)

    def superior(self, gain: Quantity, of: Significance | None = None) -> Claim:
        """Return the claim that a difference of shares is above zero.

        Looked at first is whether there is no difference that matters, which is one of less than a
        point: ValueError is raised for a unit without points. ``of`` is what is shown of the
        difference where it is one of a family.
        """
        if gain.unit not in ("points", "points lost"):
            raise ValueError(f"{self.id}: a difference in the unit {gain.unit} has no points")
        of = of or significance(gain)
        if of.same:
            return self._judged(gain, "no difference")
        return self.decided(gain, of.above, of.below)

    def wins_more_often(self, share: Quantity) -> Claim:
        """Return the claim that one of two is ahead of the other more often than behind it."""
        low, high = statistics.interval90(share)
        if low > EVEN - OFTEN and high < EVEN + OFTEN:
            return self._judged(share, "no difference")
        return self.exceeds(share, EVEN)

    def non_inferior(self, cost: Quantity, of: Significance | None = None) -> Claim:
        """Return the claim that something is as accurate, given what it costs in accuracy.

        It is confirmed where the cost is shown to be less than a point; refuted where a cost is
        shown, and may be a point or more. ``of`` is what is shown of the cost where it is one of a
        family.
        """
        of = of or significance(cost)
        # Also where one model's gain is another's cost: the report turns the sign of what is lost.
        return self.decided(replace(cost, unit="points lost"), of.at_most, of.above)

    def equivalent(self, gain: Quantity) -> Claim:
        """Return the claim that there is no difference of shares that matters."""
        found = significance(gain)
        return self.decided(gain, found.same, found.above or found.below)

    def exceeds(self, value: Quantity, limit: float) -> Claim:
        """Return the claim that a value lies above a limit: undecided if its interval holds it.

        It does not ask whether the difference matters, as ``superior`` does.
        """
        low, high = value.bounds or (value.value, value.value)
        return self.decided(value, low > limit, high <= limit)

    def at_most(self, value: Quantity, limit: float) -> Claim:
        """Return the claim that a value lies below a limit, or on it: the opposite of exceeds."""
        low, high = value.bounds or (value.value, value.value)
        return self.decided(value, high <= limit, low > limit)

    def within(self, value: Quantity, margin: float) -> Claim:
        """Return the claim that a value is nearer to 0 than a margin, by its 90 % interval."""
        low, high = statistics.interval90(value)
        return self.decided(
            value,
            confirmed=-margin < low and high < margin,
            refuted=high <= -margin or margin <= low,
        )

    def equals(self, value: Quantity, number: float) -> Claim:
        """Return the claim that something counted is exactly this number."""
        return self.holds(value, value.value == number)

    def holds(self, value: Quantity, true: bool) -> Claim:
        """Return the claim about something counted, which leaves nothing undecided."""
        return self.decided(value, true, not true)

    def all_hold(self, claims: Sequence[Claim]) -> Claim:
        """Return the claim that several others hold, judged on the one that decides.

        That is one that is refuted; where none is, one without a difference, then one that was not
        measured, then one that is undecided.
        """
        order = ("refuted", "no difference", "not measured", "undecided", "confirmed")
        decisive = min(claims, key=lambda claim: order.index(claim.verdict))
        if decisive.estimate is None:
            return self._claim(decisive.verdict, reason=decisive.reason)
        fails = decisive.verdict in ("refuted", "no difference")
        return self.decided(decisive.estimate, decisive.verdict == "confirmed", fails)


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
