"""What the first pages say of a question, and what others have published about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from labs.claims.claim import NOT_MEASURED, Claim, Difference
from labs.records.quantity import counted
from reporting.evidence import Evidence, Question, Statement, find
from reporting.sentences import ABSENT, Answer, not_measured, sentence


@dataclass(frozen=True)
class Finding:
    """The verdict on a question, and the answer's sentence on it."""

    question: Question
    claim: Claim
    sentence: Markup


class Published(NamedTuple):
    """A published statement, the claims that contradict it, and what differs where others would."""

    statement: Statement
    claims: Sequence[Claim]
    differences: Sequence[Difference]


def lacks_interval(claim: Claim, said: str) -> bool:
    """Return whether a verdict rests on an interval that what is said of it does not have.

    That of a count is said by the number that is open.
    """
    unit = claim.estimate.unit if claim.estimate else ""
    return claim.has_interval and unit != "count" and 'class="interval"' not in said


def findings(evidence: Evidence, question: Question, answer: Answer) -> list[Finding]:
    """Return the verdict on a question, and on what else it asks, with the answer's sentences.

    Of what was not measured there is one: what others have published, and what to expect.
    """
    found: list[Finding] = []
    for claim in map(evidence.claim, filter(None, (question.verdict, question.also))):
        if claim.verdict == NOT_MEASURED:
            words = Markup("{} {}").format(not_measured(claim), elsewhere(evidence, question))
            return found or [Finding(question, claim, words)]
        words = find("sentence in an answer on", answer.sentences, claim.id)
        found.append(Finding(question, claim, words))
    return found


def brief(evidence: Evidence, question: Question) -> Markup:
    """Return what was found, in a few words; of what was not measured, what others published."""
    if question.verdict is None:
        return Markup()
    claim = evidence.claim(question.verdict)
    if claim.verdict != NOT_MEASURED:
        return sentence(evidence.value, claim, claim.id.rpartition(".")[0], **question.found)
    spread = " to ".join(_speedups(evidence, question))
    return Markup("{}{}").format(ABSENT, spread and f"; published: {spread}")


def elsewhere(evidence: Evidence, question: Question) -> str:
    """Return what others published on a question that was not measured, and what to expect."""
    ends = _speedups(evidence, question).items()
    spread = " to ".join(f"{speedup} ({source})" for speedup, source in ends)
    return " ".join(filter(None, [spread and f"Published: {spread}.", question.expect]))


def _speedups(evidence: Evidence, question: Question) -> dict[str, str]:
    """Return the least and the largest speed-up published on a question, if any was, with sources.

    Where only both times were published, it is their ratio.
    """
    speedups = []
    for statement in evidence.statements.values():
        values = dict(statement.values) if statement.question == question.id else {}
        for slow, fast in (("eager", "compiled"), ("naive", "fused")):
            if slow in values and fast in values:
                ratio = counted(values[slow].value / values[fast].value, "ratio")
                values.setdefault("speedup", ratio)
        if "speedup" in values:
            speedups.append((values["speedup"], statement.source))
    ends = [end(speedups, key=lambda one: one[0].value) for end in (min, max) if speedups]
    return {speedup.point: source for speedup, source in ends}


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
