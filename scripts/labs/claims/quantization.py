"""Claims about fixed-point models, rounded and trained: questions 1.1, 1.1b and 1.1c."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.points import Case, Points
from labs.analysis.quantization import (
    PTQ,
    QAT,
    at_fractional_bits,
    at_integer_bits,
    at_width,
    best_epochs,
    best_rate,
    epochs_run,
    in_float32,
    of_epochs,
    of_rate,
    used_rate,
    values,
)
from labs.claims.claim import Claim, Rule, Statement, judge_rules
from labs.records import MEASURED, Record

WIDTHS, BITS, EPOCHS = "lab1-1", "lab1-1b", "lab1-1c"
MARGIN = 0.01
"""A loss of up to one percentage point counts as none."""

MOST = 0.9


def claims(record: Record) -> list[Claim]:
    """Return the claims about fixed-point models."""
    return judge_rules(record, rules(record))


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about fixed-point models, and how each is judged."""
    differences = Differences(record)

    def rule(
        short: str,
        question: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
        points: tuple[Case, ...] = (),
    ) -> Rule:
        statement = Statement(
            f"quantization.{short}", question, record["device"], words, like, against
        )
        return Rule(statement, judge, differences.missing(points))

    def below(first: Case, second: Case) -> Callable[[Statement], Claim]:
        """Judge that the first point is ahead of the second by less than the margin."""
        return lambda s: s.below_in_all(*differences.of(first, second), MARGIN)

    def above(first: Case, second: Case, limit: float = 0.0) -> Callable[[Statement], Claim]:
        """Judge that the first point is ahead of the second by more than a limit."""
        return lambda s: s.above_in_all(*differences.of(first, second), limit)

    float32, trained = in_float32(PTQ), in_float32(QAT)
    ptq8, ptq4, qat8, qat4 = (at_width(arm, n) for arm in (PTQ, QAT) for n in (8, 4))
    return [
        rule(
            "ptq-eight-suffices",
            WIDTHS,
            "Rounded to 8 bits, 4 of them fractional, the model loses less than a point.",
            below(float32, ptq8),
            like=("B-width-knee", "C-width-eight"),
            points=(float32, ptq8),
        ),
        rule(
            "ptq-four-fails",
            WIDTHS,
            "Rounded to 4 bits, 2 of them fractional, the model loses more than a point.",
            above(float32, ptq4, MARGIN),
            like=("B-width-knee",),
            points=(float32, ptq4),
        ),
        rule(
            "qat-eight-suffices",
            WIDTHS,
            "Trained at 8 bits, the model loses less than a point against float32.",
            below(float32, qat8),
            like=("C-width-eight",),
            points=(float32, qat8),
        ),
        rule(
            "qat-recovers-four",
            WIDTHS,
            "At 4 bits, training recovers something of what rounding lost.",
            above(qat4, ptq4),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
            points=(qat4, ptq4),
        ),
        rule(
            "four-silences",
            WIDTHS,
            "At 4 bits more than nine tenths of the weights are rounded to zero.",
            lambda s: s.above(values(record)["quantization.PTQ.w4.zeros"], MOST),
            points=(ptq4,),
        ),
        rule(
            "two-silences",
            BITS,
            "With 2 fractional bits more than nine tenths of the weights are rounded to zero.",
            lambda s: s.above(values(record)["quantization.PTQ.f2.zeros"], MOST),
            points=(at_fractional_bits(PTQ, 2),),
        ),
        rule(
            "qat-beats-ptq-eight",
            WIDTHS,
            "At 8 bits, the trained model is more accurate than the rounded one.",
            above(qat8, ptq8),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
            points=(qat8, ptq8),
        ),
        rule(
            "qat-beats-float32",
            WIDTHS,
            "Trained at 8 bits, the model is more accurate than the float32 model it started from.",
            above(qat8, float32),
            like=("D-qat-above-baseline", "C-qat-above-baseline"),
            points=(qat8, float32),
        ),
        rule(
            "qat-beats-control",
            WIDTHS,
            "Trained at 8 bits, the model is more accurate than float32 trained as long.",
            above(qat8, trained),
            points=(qat8, trained),
        ),
        rule(
            "rate",
            WIDTHS,
            "No other learning rate that was tried does better by more than a point.",
            lambda s: below(of_rate(best_rate(record)), of_rate(used_rate(record)))(s),
        ),
        rule(
            "five-integer-bits-suffice",
            BITS,
            "Beside 4 fractional bits, a sixth integer bit and more gain less than a point in PTQ.",
            below(at_integer_bits(PTQ, 10), at_integer_bits(PTQ, 5)),
            like=("D-integer-bits",),
            points=(at_integer_bits(PTQ, 10), at_integer_bits(PTQ, 5)),
        ),
        rule(
            "five-integer-bits-needed",
            BITS,
            "Beside 4 fractional bits, 3 integer bits lose more than a point against 5 in PTQ.",
            above(at_integer_bits(PTQ, 5), at_integer_bits(PTQ, 3), MARGIN),
            like=("D-integer-bits",),
            points=(at_integer_bits(PTQ, 5), at_integer_bits(PTQ, 3)),
        ),
        rule(
            "one-integer-bit-costs",
            BITS,
            "Beside 4 fractional bits, a single integer bit costs more than a point in PTQ.",
            above(float32, at_integer_bits(PTQ, 1), MARGIN),
            points=(float32, at_integer_bits(PTQ, 1)),
        ),
        rule(
            "one-integer-bit-trained",
            BITS,
            "Trained with a single integer bit, the model still loses more than a point.",
            above(float32, at_integer_bits(QAT, 1), MARGIN),
            like=("D-integer-bits-qat",),
            points=(float32, at_integer_bits(QAT, 1)),
        ),
        rule(
            "three-fractional-bits-suffice",
            BITS,
            "Beside 5 integer bits and after training, 8 fractional bits gain less than a point "
            "over 3.",
            below(at_fractional_bits(QAT, 8), at_fractional_bits(QAT, 3)),
            like=("D-fractional-bits",),
            points=(at_fractional_bits(QAT, 8), at_fractional_bits(QAT, 3)),
        ),
        rule(
            "four-fractional-bits-suffice",
            BITS,
            "Beside 5 integer bits, 27 fractional bits gain less than a point over 4 in PTQ.",
            below(at_fractional_bits(PTQ, 27), at_fractional_bits(PTQ, 4)),
            points=(at_fractional_bits(PTQ, 27), at_fractional_bits(PTQ, 4)),
        ),
        rule(
            "three-fractional-bits-recovered",
            BITS,
            "With 3 fractional bits, training recovers more than a point of what rounding lost.",
            above(at_fractional_bits(QAT, 3), at_fractional_bits(PTQ, 3), MARGIN),
            points=(at_fractional_bits(QAT, 3), at_fractional_bits(PTQ, 3)),
        ),
        rule(
            "two-fractional-bits-recovered",
            BITS,
            "With 2 fractional bits, training recovers more than a point of what rounding lost.",
            above(at_fractional_bits(QAT, 2), at_fractional_bits(PTQ, 2), MARGIN),
            points=(at_fractional_bits(QAT, 2), at_fractional_bits(PTQ, 2)),
        ),
        rule(
            "overfits",
            EPOCHS,
            "Of all the numbers of epochs tried, the largest is not the best one on validation.",
            lambda s: _overfits(s, record, differences),
            like=("C-epochs",),
        ),
        rule(
            "one-epoch-suffices",
            EPOCHS,
            "The best number of epochs gains less than a point over a single one.",
            lambda s: below(of_epochs(best_epochs(record)), of_epochs(1))(s),
            against=("C-epochs",),
        ),
    ]


class Differences:
    """Differences in accuracy between points: the mean over the replicates, and each of them."""

    def __init__(self, record: Record) -> None:
        self._measured = record["status"] == MEASURED
        self._points = cache(lambda: Points(record, split="validation"))

    def of(self, first: Case, second: Case) -> tuple[Value, list[float]]:
        """Return how far the first point is ahead of the second."""
        return self._points().gain(first, second), self._points().gains(first, second)

    def missing(self, points: tuple[Case, ...]) -> str:
        """Return why a claim cannot be judged; nothing if all its points were run."""
        if not self._measured or all(self._points().has(point) for point in points):
            return ""
        return "this preset does not run all of its points"


def _overfits(statement: Statement, record: Record, differences: Differences) -> Claim:
    """Judge whether accuracy falls again after the best number of epochs."""
    best, last = best_epochs(record), epochs_run(record)[-1]
    mean, replicates = differences.of(of_epochs(best), of_epochs(last))
    if best == last:
        return statement.holds(mean, False)
    return statement.above_in_all(mean, replicates, 0)
