"""What the first pages say of a lab, chosen from its claims by rules.

- The verdicts on the lab's questions, at most `MOST`: first those that contradict a published
  statement, then those whose estimate has an interval, then the first ones. What could hardly have
  been otherwise, such as a count, gives way.
- The largest contradiction: of the other claims, the one that contradicts most published
  statements, and of equals one whose estimate has an interval.
- How many claims were decided, and on which questions the others stay undecided.

Claims that were not measured count nowhere.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from reporting.evidence import (
    NOT_MEASURED,
    UNDECIDED,
    Claim,
    Difference,
    Evidence,
    Question,
    Statement,
)

MOST = 4


@dataclass(frozen=True)
class Finding:
    """The verdict on a question, and what its answer says of it."""

    question: Question
    claim: Claim
    said: Markup

    @property
    def lacks_interval(self) -> bool:
        """Return whether the verdict rests on an interval that the answer does not say."""
        return self.claim.has_interval and 'class="interval"' not in self.said


@dataclass(frozen=True)
class Findings:
    """What was found in a lab; `tested` are all its claims that were measured.

    `contradicted` counts published statements; `undecided` claims, by their questions.
    """

    verdicts: Sequence[Finding]
    contradiction: Claim | None
    contradicted: int
    tested: int
    undecided: Sequence[tuple[Question, int]]


def chosen(
    questions: Sequence[Question], verdicts: Iterable[Finding], claims: Iterable[Claim]
) -> Findings:
    """Return what the first pages say of the lab with these questions."""
    ids = {question.id for question in questions}
    tested = [claim for claim in claims if claim.question in ids and claim.verdict != NOT_MEASURED]
    said = [finding for finding in verdicts if finding.claim.verdict != NOT_MEASURED]
    ranked = sorted(said, key=lambda one: (not one.claim.contradicts, not one.claim.has_interval))
    told = {finding.claim.id for finding in said}
    others = [claim for claim in tested if claim.contradicts and claim.id not in told]
    undecided = Counter(claim.question for claim in tested if claim.verdict == UNDECIDED)
    return Findings(
        verdicts=[finding for finding in said if finding in ranked[:MOST]],
        contradiction=min(
            others,
            key=lambda claim: (-len(claim.contradicts), not claim.has_interval),
            default=None,
        ),
        contradicted=len({found.id for claim in tested for found in claim.contradicts}),
        tested=len(tested),
        undecided=[(one, undecided[one.id]) for one in questions if one.id in undecided],
    )


class Published(NamedTuple):
    """A published statement, the claims that contradict it, and what differs where others would."""

    statement: Statement
    claims: Sequence[Claim]
    differences: Sequence[Difference]


def published(evidence: Evidence, question: Question, shown: Iterable[str]) -> list[Published]:
    """Return the published statements about a question that come with numbers, and those that the
    claims `shown` in its answer contradict, or would at the same sizes.
    """
    claims = [evidence.own[name] for name in shown if evidence.own[name].is_decided]
    rows = (
        Published(
            statement,
            [claim for claim in claims if statement in claim.contradicts],
            [
                difference
                for claim in claims
                for difference in claim.other_sizes
                if difference.statement == statement.id
            ],
        )
        for statement in evidence.statements.values()
    )
    return [
        row
        for row in rows
        if row.claims
        or row.differences
        or (row.statement.question == question.id and row.statement.values)
    ]
