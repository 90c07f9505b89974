"""What the first pages say of a lab, chosen from its claims by rules.

- The verdicts on the lab's questions, at most `MOST`: first those that contradict a published
  statement, then those whose estimate has an interval, then the first ones. What could hardly have
  been otherwise, such as a count, gives way.
- The largest contradiction: of the other claims, the one that contradicts most published
  statements, and of equals one whose estimate has an interval.
- How many claims were decided, and on which questions the others stay undecided.

Claims that were not measured count nowhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from markupsafe import Markup

from labs.claims.claim import NOT_MEASURED, UNDECIDED, Claim, Difference
from reporting.evidence import Evidence, Question, Statement, find
from reporting.sentences import ABSENT, Answer, not_measured, sentence

MOST = 4


@dataclass(frozen=True)
class Finding:
    """The verdict on a question, and the answer's sentence on it."""

    question: Question
    claim: Claim
    sentence: Markup


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


class Published(NamedTuple):
    """A published statement, the claims that contradict it, and what differs where others would."""

    statement: Statement
    claims: Sequence[Claim]
    differences: Sequence[Difference]


def lacks_interval(claim: Claim, said: str) -> bool:
    """Return whether a verdict rests on an interval that what is said of it does not have."""
    return claim.has_interval and 'class="interval"' not in said


def finding(evidence: Evidence, question: Question, answer: Answer) -> Finding | None:
    """Return the verdict on a question, with what the answer says of it."""
    if question.verdict is None:
        return None
    claim = evidence.claim(question.verdict)
    if claim.verdict == NOT_MEASURED:
        return Finding(question, claim, not_measured(claim))
    sentence = find("sentence in an answer on", answer.sentences, claim.id)
    return Finding(question, claim, sentence)


def brief(evidence: Evidence, question: Question) -> Markup:
    """Return what was found, in a few words; of what was not measured, what others published."""
    if question.verdict is None:
        return Markup()
    claim = evidence.claim(question.verdict)
    if claim.verdict != NOT_MEASURED:
        return sentence(evidence.value, claim, claim.id.rpartition(".")[0], **question.found)
    spread = published_speedups(evidence, question)
    return Markup("{}{}").format(ABSENT, spread and f"; published: {spread}")


def published_speedups(evidence: Evidence, question: Question) -> str:
    """Return the least and the largest speed-up that was published on a question, if any was."""
    speedups = [
        quantity
        for statement in evidence.statements.values()
        for name, quantity in statement.values
        if statement.question == question.id and name == "speedup"
    ]
    ends = {end(speedups, key=attrgetter("value")).point: None for end in (min, max) if speedups}
    return " to ".join(ends)


def choose(
    questions: Sequence[Question], verdicts: Iterable[Finding], claims: Iterable[Claim]
) -> Findings:
    """Return what the first pages say of the lab with these questions."""
    ids = {question.id for question in questions}
    tested = [claim for claim in claims if claim.question in ids and claim.verdict != NOT_MEASURED]
    measured = [finding for finding in verdicts if finding.claim.verdict != NOT_MEASURED]
    claimed = [finding.claim for finding in measured]
    ranked = sorted(
        measured,
        key=lambda finding: (not finding.claim.contradicts, not finding.claim.has_interval),
    )
    others = [claim for claim in tested if claim.contradicts and claim not in claimed]
    largest = min(
        others, key=lambda claim: (-len(claim.contradicts), not claim.has_interval), default=None
    )
    undecided = [claim.question for claim in tested if claim.verdict == UNDECIDED]
    return Findings(
        verdicts=[finding for finding in measured if finding in ranked[:MOST]],
        contradiction=largest,
        contradicted=len({name for claim in tested for name in claim.contradicts}),
        tested=len(tested),
        undecided=[
            (question, undecided.count(question.id))
            for question in questions
            if question.id in undecided
        ],
    )


def published(evidence: Evidence, question: Question, shown: Iterable[str]) -> list[Published]:
    """Return the published statements about a question that come with numbers, and those that the
    claims `shown` in its answer contradict, or would at the same sizes.
    """
    claims = [claim for claim in map(evidence.claim, shown) if claim.is_decided]
    differences = [difference for claim in claims for difference in claim.differences]
    rows = []
    for statement in evidence.statements.values():
        against = [claim for claim in claims if statement.id in claim.contradicts]
        other = [difference for difference in differences if difference.statement == statement.id]
        if against or other or (statement.question == question.id and statement.values):
            rows.append(Published(statement, against, other))
    return rows
