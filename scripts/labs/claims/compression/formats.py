"""Claims about number formats, as they ought to be and as MASE has them: question 1.1."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.compression.formats import ALL_ROWS, MASE, NEAREST, values
from labs.analysis.frame import Value, exactly, slug
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab1-1"
NEARLY_NONE = 0.01


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about number formats, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str, mode: str, part: str) -> Value:
        return found()[f"formats.{slug(name)}.{mode}.{part}"]

    def rule(short: str, words: str, judge: Callable[[Statement], Claim]) -> Rule:
        return Rule(Statement(f"formats.{short}", QUESTION, record["device"], words), judge)

    def larger_error(short: str, words: str, mase: str, nearest: str) -> Rule:
        """Claim that MASE's format changes the weights more than one that is as it ought to be."""

        def judge(statement: Statement) -> Claim:
            errors = value(mase, MASE, "error"), value(nearest, NEAREST, "error")
            ratio = errors[0].estimate.value / errors[1].estimate.value
            return statement.above(exactly(ratio, "ratio"), 1)

        return rule(short, words, judge)

    return [
        larger_error(
            "ieee-carry",
            "MASE's IEEE minifloat, which does not carry, changes the weights more than the "
            "nearest values do.",
            "minifloat_ieee",
            "minifloat_ieee",
        ),
        larger_error(
            "denorm-carry",
            "MASE's minifloat without a leading bit, which does not carry, changes the weights "
            "more than the nearest values do.",
            "minifloat_denorm",
            "minifloat_denorm",
        ),
        rule(
            "inverted-bias",
            "MASE's block minifloat leaves less than a hundredth of the weights.",
            lambda s: s.below(value("block_minifloat", MASE, "kept"), NEARLY_NONE),
        ),
        rule(
            "inverted-bias-costs",
            "MASE's block minifloat costs more than ten points of accuracy.",
            lambda s: s.above(value("block_minifloat", MASE, "cost"), 0.1),
        ),
        larger_error(
            "all-rows",
            "Blocks over all rows, as MASE reads [16], change the weights more than blocks along "
            "the rows.",
            ALL_ROWS,
            "block_fp",
        ),
        larger_error(
            "ceil-scale",
            "MASE's MXINT8, whose scale is rounded up, changes the weights more than the "
            "specification's.",
            "mxint8",
            "mxint8",
        ),
        rule(
            "scaling-helps",
            "Binary weights with a scale keep more accuracy than plus and minus one.",
            lambda s: s.above(found()["formats.scaling.ahead"], 0),
        ),
    ]
