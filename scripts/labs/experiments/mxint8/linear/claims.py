"""Claims about linear layers with MXINT8 operands: question 3a."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.mxint8.linear.values import ANALYSIS
from labs.records.record import Record

EXPERIMENT = "mxint8_linear"

WORDS = {"few": "at the smallest batch", "many": "at the largest batch"}
MOSTLY, NEARLY, MOST, FIFTH, SMALL = 0.9, 0.8, 0.75, 0.2, 0.02


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, ANALYSIS.prefix(record), "lab4-3a")
    both, float32 = (f"many.{arm}.energy.arithmetic" for arm in ("both", "float32"))
    few = claim.with_prefix("few")
    # The rate of reading is measured on a CPU alone.
    near_reading = few.rule(
        "near-reading",
        "At the smallest batch, a linear layer with weight and activations in MXINT8 takes its "
        "weight at more than three quarters of the rate at which that can be read at all.",
        few.exceeds("both.share_of_reading", MOST),
    )
    return [
        *(rule for word in WORDS for rule in _of_batch(claim.with_prefix(word), WORDS[word])),
        *([near_reading] if record["device"] == "cpu" else []),
        claim.rule(
            "integers",
            "With both operands in MXINT8, more than nine tenths of the arithmetic are operations "
            "on integers.",
            claim.exceeds("many.both.integer_share", MOSTLY),
        ),
        claim.rule(
            "floats-remain",
            "With an MXINT8 weight alone, no operation of the arithmetic is one on integers.",
            claim.counts_none("many.weights.integer_share"),
        ),
        claim.rule(
            "energy-arithmetic",
            "By published energies, the arithmetic with both operands in MXINT8 takes less than a "
            "fifth of that in float32.",
            lambda s: s.at_most(claim.ratio(both, float32, "share"), FIFTH),
        ),
        claim.rule(
            "energy-bytes",
            "By published energies, fetching the bytes from DRAM once takes more than the "
            "arithmetic, with both operands in MXINT8 at the largest batch.",
            claim.exceeds("many.both.energy.memory_over_arithmetic", 1),
        ),
        claim.rule(
            "eight-bits",
            "A number of an MXINT8 group takes more than eight bits, not four.",
            claim.exceeds("bits", 8),
            against=("C-mxint-four-bits", "L-memory-formula"),
        ),
        claim.rule(
            "error-small",
            "With both operands in MXINT8, a linear layer's relative error against float64 is "
            "below two hundredths.",
            claim.at_most("many.both.error", SMALL),
        ),
        claim.rule(
            "error-above-bfloat16",
            "With both operands in MXINT8, a linear layer's error is larger than that of BF16.",
            claim.exceeds("many.both.error_over_bfloat16", 1),
        ),
    ]


def _of_batch(claim: Rules, batch: str) -> list[Rule]:
    return [
        claim.rule(
            "weights-faster",
            f"A linear layer with an MXINT8 weight is faster than one in float32 {batch}.",
            claim.faster("weights.speedup"),
            like=("A-mxint-bandwidth",),
        ),
        claim.rule(
            "both-faster",
            "A linear layer with weight and activations in MXINT8 is faster than one in float32 "
            f"{batch}.",
            claim.faster("both.speedup"),
            like=("A-mxint-bandwidth", "C-mxint-faster"),
        ),
        claim.rule(
            "both-over-bfloat16",
            "A linear layer with weight and activations in MXINT8 is faster than one in BF16 "
            f"{batch}.",
            claim.faster("both.over.bfloat16"),
        ),
        claim.rule(
            "both-over-weights",
            "Quantizing the activations as well makes a linear layer with an MXINT8 weight faster "
            f"{batch}.",
            claim.faster("both.over.weights"),
            like=("C-mxint-one-format",),
        ),
        claim.rule(
            "memory-bound",
            "The float32 layer reads its weight at nearly the rate of a plain copy, or above it, "
            f"{batch}.",
            claim.exceeds("float32.share_of_copy", NEARLY),
        ),
    ]
