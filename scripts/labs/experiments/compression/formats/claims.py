"""Claims about number formats, as they ought to be and as MASE has them: question 1.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.formats.names import ALL_ROWS, MASE, NEAREST
from labs.records.names.intervals import TEN_POINTS
from labs.records.record import Record

EXPERIMENT = "formats"

QUESTION = "lab1-1"
NEARLY_NONE = 0.01


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "formats", QUESTION)

    def larger_error(short: str, words: str, mase: str, nearest: str = "") -> Rule:
        """Assert that MASE's format changes the weights more than it, or another, ought to."""
        errors = f"{mase}.{MASE}.error", f"{nearest or mase}.{NEAREST}.error"
        return claim.rule(short, words, lambda s: s.exceeds(claim.ratio(*errors), 1))

    return [
        larger_error(
            "ieee-carry",
            "MASE's IEEE minifloat, which does not carry, changes the weights more than the "
            "nearest values do.",
            "minifloat_ieee",
        ),
        larger_error(
            "denorm-carry",
            "MASE's minifloat without a leading bit, which does not carry, changes the weights "
            "more than the nearest values do.",
            "minifloat_denorm",
        ),
        claim.rule(
            "inverted-bias",
            "MASE's block minifloat leaves less than a hundredth of the weights.",
            claim.at_most(f"block_minifloat.{MASE}.kept", NEARLY_NONE),
        ),
        claim.rule(
            "inverted-bias-costs",
            "MASE's block minifloat costs more than ten points of accuracy.",
            claim.exceeds(f"block_minifloat.{MASE}.cost", TEN_POINTS),
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
        ),
        claim.rule(
            "scaling-helps",
            "Binary weights with a scale keep more accuracy than plus and minus one.",
            claim.superior("scaling.ahead"),
        ),
    ]
