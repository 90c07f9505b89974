"""What the first pages say of a lab is chosen by rules."""

from collections.abc import Sequence

from markupsafe import Markup

from labs.claims.claim import Claim, Verdict
from labs.records.quantity import Quantity
from reporting.evidence import Question
from reporting.findings import MOST, Finding, Findings, choose

QUESTIONS = [Question(f"lab1-{name}", 1, "A title", "a source", "") for name in "abcdef"]
COUNTED = Quantity(6.0)
MEASURED = Quantity(1.2, 1.1, 1.3, unit="ratio")


def claim(
    name: str,
    verdict: Verdict = "confirmed",
    estimate: Quantity = COUNTED,
    against: Sequence[str] = (),
    question: str = "lab1-a",
) -> Claim:
    """A claim that contradicts the published statements `against`."""
    return Claim(
        id=name,
        question=question,
        statement="",
        verdict=verdict,
        estimate=estimate,
        device="cpu",
        contradicts=tuple(against),
    )


def found(verdicts: Sequence[Claim] = (), others: Sequence[Claim] = ()) -> Findings:
    """What is found where these claims are the verdicts on the first questions."""
    pairs = zip(QUESTIONS, verdicts, strict=False)
    said = [Finding(question, one, Markup("Said.")) for question, one in pairs]
    return choose(QUESTIONS, said, [*verdicts, *others])


def named(findings: Findings) -> list[str]:
    return [finding.claim.id for finding in findings.verdicts]


def test_few_verdicts_are_all_said() -> None:
    assert named(found([claim("first"), claim("second")])) == ["first", "second"]


def test_of_many_verdicts_counts_give_way_and_the_order_stays() -> None:
    counts = [claim(f"count {number}") for number in range(MOST)]
    timed, contradicts = claim("timed", estimate=MEASURED), claim("against", against=["A"])
    expected = ["count 0", "count 1", "timed", "against"]
    assert named(found([*counts, timed, contradicts])) == expected


def test_what_was_not_measured_counts_nowhere() -> None:
    findings = found([claim("absent", "not measured")], [claim("other", "not measured")])
    assert (findings.verdicts, findings.tested) == ([], 0)


def test_the_largest_contradiction_is_of_most_statements_and_no_verdict() -> None:
    verdict = claim("verdict", against=["A", "B", "C"])
    others = [claim("one", against=["A"]), claim("two", against=["A", "B"]), claim("none")]
    contradiction = found([verdict], others).contradiction
    assert contradiction and contradiction.id == "two"


def test_of_equal_contradictions_one_with_an_interval_is_told() -> None:
    others = [claim("counted", against=["A"]), claim("timed", estimate=MEASURED, against=["B"])]
    contradiction = found(others=others).contradiction
    assert contradiction and contradiction.id == "timed"


def test_a_statement_that_two_claims_contradict_counts_once() -> None:
    others = [claim("one", against=["A"]), claim("two", against=["A"])]
    assert found(others=others).contradicted == 1


def test_undecided_claims_are_counted_by_question() -> None:
    others = [claim("one", "undecided"), claim("two", "undecided"), claim("three")]
    findings = found(others=[*others, claim("other", "undecided", question="lab1-c")])
    assert findings.undecided == [(QUESTIONS[0], 2), (QUESTIONS[2], 1)]
    assert findings.tested == 4


def test_claims_of_other_labs_are_left_out() -> None:
    assert found(others=[claim("other", question="lab2-a")]).tested == 0
