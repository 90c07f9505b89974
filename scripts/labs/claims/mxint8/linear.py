"""Claims about linear layers with MXINT8 operands: question 3a."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value, exactly
from labs.analysis.mxint8 import energy
from labs.analysis.mxint8.linear import prefix, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab4-3a"
WORDS = {"few": "at the smallest batch", "many": "at the largest batch"}
MOSTLY, NEARLY, FIFTH, SMALL = 0.9, 0.8, 0.2, 0.02


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about linear layers on a device, and how each is judged."""
    start = prefix(record)

    @cache
    def found() -> dict[str, Value]:
        return values(record) | energy.values(record)

    def value(name: str) -> Value:
        return found()[f"{start}.{name}"]

    def rule(
        short: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        name = f"{start}.{short}"
        return Rule(Statement(name, QUESTION, record["device"], words, like, against), judge)

    def faster(word: str, short: str, words: str, gain: str, like: tuple[str, ...] = ()) -> Rule:
        return rule(
            f"{word}.{short}",
            f"{words} {WORDS[word]}.",
            lambda s: s.faster(
                value(f"{word}.{gain}"), value(f"{word}.noise_floor").estimate.value
            ),
            like,
        )

    def of_batch(word: str) -> list[Rule]:
        return [
            faster(
                word,
                "weights-faster",
                "A linear layer with an MXINT8 weight is faster than one in float32",
                "weights.speedup",
                like=("A-mxint-bandwidth",),
            ),
            faster(
                word,
                "both-faster",
                "A linear layer with weight and activations in MXINT8 is faster than one in "
                "float32",
                "both.speedup",
                like=("A-mxint-bandwidth", "C-mxint-faster"),
            ),
            faster(
                word,
                "both-over-bfloat16",
                "A linear layer with weight and activations in MXINT8 is faster than one in BF16",
                "both.over.bfloat16",
            ),
            faster(
                word,
                "both-over-weights",
                "Quantizing the activations as well makes a linear layer with an MXINT8 weight "
                "faster",
                "both.over.weights",
                like=("C-mxint-one-format",),
            ),
            rule(
                f"{word}.memory-bound",
                f"The float32 layer reads its weight at nearly the rate of a plain copy, or above "
                f"it, {WORDS[word]}.",
                lambda s: s.above(value(f"{word}.float32.share_of_copy"), NEARLY),
            ),
        ]

    return [
        *(one for word in WORDS for one in of_batch(word)),
        rule(
            "integers",
            "With both operands in MXINT8, more than nine tenths of the arithmetic are operations "
            "on integers.",
            lambda s: s.above(value("many.both.integer_share"), MOSTLY),
        ),
        rule(
            "floats-remain",
            "With an MXINT8 weight alone, no operation of the arithmetic is one on integers.",
            lambda s: s.holds(
                value("many.weights.integer_share"),
                value("many.weights.integer_share").estimate.value == 0,
            ),
        ),
        rule(
            "energy-arithmetic",
            "By published energies, the arithmetic with both operands in MXINT8 takes less than a "
            "fifth of that in float32.",
            lambda s: s.below(_energy_ratio(found(), f"{start}.many"), FIFTH),
        ),
        rule(
            "energy-bytes",
            "By published energies, fetching the bytes from DRAM once takes more than the "
            "arithmetic, with both operands in MXINT8 at the largest batch.",
            lambda s: s.above(value("many.both.energy.memory_over_arithmetic"), 1),
        ),
        rule(
            "eight-bits",
            "A number of an MXINT8 group takes more than eight bits, not four.",
            lambda s: s.above(value("bits"), 8),
            against=("C-mxint-four-bits",),
        ),
        rule(
            "error-small",
            "With both operands in MXINT8, a linear layer's relative error against float64 is "
            "below two hundredths.",
            lambda s: s.below(value("many.both.error"), SMALL),
        ),
        rule(
            "error-above-bfloat16",
            "With both operands in MXINT8, a linear layer's error is larger than that of BF16.",
            lambda s: s.holds(
                value("many.both.error"),
                value("many.both.error").estimate.value
                > value("many.bfloat16.error").estimate.value,
            ),
        ),
    ]


def _energy_ratio(found: dict[str, Value], name: str) -> Value:
    """Return the estimated energy of the arithmetic with both operands over that of float32."""
    both, baseline = (
        found[f"{name}.{arm}.energy.arithmetic"].estimate.value for arm in ("both", "float32")
    )
    return exactly(both / baseline, "share")
