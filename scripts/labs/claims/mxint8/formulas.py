"""Claims about the lab's formulas: question 3b."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.mxint8.formulas import prefix, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab4-3b"
NOTICEABLE = 0.01


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the formulas, and how each is judged."""
    start = prefix(record)

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{start}.{name}"]

    def number(name: str) -> float:
        return value(name).estimate.value

    def rule(
        short: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        name = f"{start}.{short}"
        return Rule(Statement(name, QUESTION, record["device"], words, like, against), judge)

    return [
        rule(
            "bit-decides",
            "Packed without the correction, a mantissa that an encoder emits is right if its bit "
            "worth one is set, and otherwise off by exactly bias.",
            lambda s: s.holds(
                value("rest.off_by_bias"),
                number("leading.right") == number("leading")
                and number("rest.off_by_bias") == number("rest"),
            ),
            against=("C-bias-normalizes", "C-mantissa-too-small"),
        ),
        rule(
            "one-line",
            "With the correction, all mantissas that an encoder emits lie on one line, "
            "mantissa over 64.",
            lambda s: s.holds(value("one_line"), number("one_line") == number("mantissas")),
            against=("A-two-rules",),
        ),
        rule(
            "six-fraction-bits",
            "Six bits of a mantissa stand behind the point: the smallest one is worth 1/64.",
            lambda s: s.holds(value("smallest"), number("smallest") * 2**6 == 1),
            against=("B-seven-fraction-bits",),
        ),
        rule(
            "bias-smallest",
            "bias is the smallest magnitude that a code other than zero can have under its "
            "exponent.",
            lambda s: s.holds(value("bias_over_smallest"), number("bias_over_smallest") == 1),
            like=("C-bias-minimum",),
        ),
        rule(
            "formula-exact",
            "The lab's formula decodes every pair of mantissa and exponent exactly.",
            lambda s: s.holds(value("formula.wrong"), number("formula.wrong") == 0),
            like=("L-kernel-check",),
        ),
        rule(
            "causes-known",
            "Each pair that the lab's formula decodes wrongly has one of three causes.",
            lambda s: s.holds(value("cause.unexplained"), number("cause.unexplained") == 0),
        ),
        rule(
            "package-exact",
            "mxint_cuda decodes every pair of mantissa and exponent exactly.",
            lambda s: s.holds(value("mxint_cuda.wrong"), number("mxint_cuda.wrong") == 0),
        ),
        rule(
            "bfloat16-first",
            "Rounding float32 numbers to BF16 before they are encoded, as the lab does, changes "
            "at least one code in a hundred.",
            lambda s: s.above(value("encoder.through-BF16.changed"), NOTICEABLE),
        ),
        rule(
            "encoder-exact",
            "mxint_cuda encodes float32 numbers as the standard says, without another code.",
            lambda s: s.holds(
                value("encoder.mxint_cuda.changed"), number("encoder.mxint_cuda.changed") == 0
            ),
        ),
        rule(
            "ceil-saturates",
            "Under a scale at or above the largest magnitude, as MASE's quantizer takes it, every "
            "group saturates whose largest magnitude is a positive power of two.",
            lambda s: s.holds(
                value("ceil.saturated"), number("ceil.saturated") == number("ceil.groups")
            ),
        ),
        rule(
            "ceil-worse",
            "In these groups, taken whole, MASE's scale has the larger error.",
            lambda s: s.holds(value("ceil.error"), number("ceil.error") > number("floor.error")),
        ),
    ]
