"""Claims about the lab's formulas: question 3b."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.mxint8.formulas.values import ANALYSIS
from labs.records.record import Record

EXPERIMENT = "mxint8_formulas"

NOTICEABLE = 0.01


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, ANALYSIS.prefix(record), "lab4-3b")
    return [
        claim.rule(
            "bit-decides",
            "Packed without the correction, a mantissa that an encoder emits is right if its bit "
            "worth one is set, and otherwise off by exactly bias.",
            claim.counts_none("bit_exceptions"),
            against=("C-bias-normalizes", "C-mantissa-too-small"),
        ),
        claim.rule(
            "one-line",
            "With the correction, all mantissas that an encoder emits lie on one line, "
            "mantissa over 64.",
            claim.equals("one_line", "mantissas"),
            against=("A-two-rules",),
        ),
        claim.rule(
            "six-fraction-bits",
            "Six bits of a mantissa stand behind the point: the smallest one is worth 1/64.",
            claim.equals("smallest", 1 / 2**6),
            against=("B-seven-fraction-bits",),
        ),
        claim.rule(
            "bias-smallest",
            "bias is the smallest magnitude that a code other than zero can have under its "
            "exponent.",
            claim.equals("bias_over_smallest", 1),
            like=("C-bias-minimum",),
        ),
        claim.rule(
            "formula-exact",
            "The lab's formula decodes every pair of mantissa and exponent exactly.",
            claim.counts_none("formula.wrong"),
            like=("L-kernel-check",),
        ),
        claim.rule(
            "causes-known",
            "Each pair that the lab's formula decodes wrongly has one of three causes.",
            claim.counts_none("cause.unexplained"),
        ),
        claim.rule(
            "package-exact",
            "mxint_cuda decodes every pair of mantissa and exponent exactly.",
            claim.counts_none("mxint_cuda.wrong"),
        ),
        claim.rule(
            "bfloat16-first",
            "Rounding float32 numbers to BF16 before they are encoded, as the lab does, changes "
            "at least one code in a hundred.",
            claim.exceeds("encoder.through-BF16.changed", NOTICEABLE),
        ),
        claim.rule(
            "encoder-exact",
            "mxint_cuda encodes float32 numbers as the standard says, without another code.",
            claim.counts_none("encoder.mxint_cuda.changed"),
        ),
        claim.rule(
            "ceil-saturates",
            "Under a scale at or above the largest magnitude, as MASE's quantizer takes it, every "
            "group saturates whose largest magnitude is a positive power of two.",
            claim.equals("ceil.saturated", "ceil.groups"),
        ),
        claim.rule(
            "ceil-worse",
            "In these groups, taken whole, MASE's scale has the larger error.",
            claim.exceeds("ceil.error", "floor.error"),
        ),
    ]
