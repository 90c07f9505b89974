"""Claims about fixed-point models, rounded and trained: questions 1.1, 1.1b and 1.1c."""

from labs.analysis.values import Values
from labs.claims.paired import Paired
from labs.claims.statement import Rule
from labs.experiments.compression.quantization.names import PTQ, QAT
from labs.experiments.compression.quantization.values import (
    as_advised,
    at_fractional_bits,
    at_integer_bits,
    at_width,
    in_float32,
)
from labs.records.record import Record

EXPERIMENT = "quantization"

WIDTHS, BITS, EPOCHS = "lab1-1", "lab1-1b", "lab1-1c"
MOST = 0.9


def rules(record: Record, values: Values) -> list[Rule]:
    widths = Paired(record, values, "quantization", WIDTHS)
    rate = {"learning_rate": widths.number("rate.used")} if widths.measured else {}
    rates = widths.only_with("rate.rival", "several learning rates")
    tuned = widths.at("compression", "reviews", epochs=1, **rate)
    bits, tuned_bits = widths.for_question(BITS), tuned.for_question(BITS)
    epochs = widths.at("compression", "reviews", **rate).for_question(EPOCHS)
    several = epochs.only_with("epochs.fall", "several numbers of epochs")
    beside_one = epochs.only_with("epochs.rival", "one epoch and several")

    float32, trained, advised = in_float32(PTQ), in_float32(QAT), as_advised(QAT)
    ptq8, ptq4, qat8, qat4 = (at_width(arm, width) for arm in (PTQ, QAT) for width in (8, 4))
    eight_suffices = widths.pair_non_inferior(float32, ptq8)
    four_fails = widths.pair_superior(float32, ptq4)
    knee = widths.needing(
        lambda s: s.all_hold([eight_suffices(s), four_fails(s)]), float32, ptq8, ptq4
    )

    return [
        widths.rule(
            "ptq-eight-suffices",
            "Rounded to 8 bits, 4 of them fractional, the model is as accurate as in float32.",
            eight_suffices,
            like=("C-width-eight",),
        ),
        widths.rule(
            "ptq-four-fails",
            "Rounded to 4 bits, 2 of them fractional, the model is less accurate than in float32.",
            four_fails,
        ),
        widths.rule(
            "knee",
            "The knee of PTQ lies between 4 bits and 8: the one costs accuracy, the other does "
            "not.",
            knee,
            like=("B-width-knee",),
        ),
        tuned.rule(
            "qat-eight-suffices",
            "Trained at 8 bits, the model is as accurate as in float32.",
            tuned.pair_non_inferior(float32, qat8),
            like=("C-width-eight",),
        ),
        tuned.rule(
            "qat-recovers-four",
            "At 4 bits, training recovers something of what rounding lost.",
            tuned.pair_superior(qat4, ptq4),
        ),
        widths.rule(
            "four-silences",
            "At 4 bits more than nine tenths of the weights are rounded to zero.",
            widths.needing(widths.exceeds("PTQ.w4.zeros", MOST), ptq4),
        ),
        bits.rule(
            "two-silences",
            "With 2 fractional bits more than nine tenths of the weights are rounded to zero.",
            bits.needing(bits.exceeds("PTQ.f2.zeros", MOST), at_fractional_bits(PTQ, 2)),
        ),
        tuned.rule(
            "qat-beats-ptq-eight",
            "At 8 bits, the trained model is more accurate than the rounded one.",
            tuned.pair_superior(qat8, ptq8),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
        ),
        tuned.rule(
            "qat-beats-float32",
            "Trained at 8 bits, the model is more accurate than the float32 model it started from.",
            tuned.pair_superior(qat8, float32),
            like=("D-qat-above-baseline", "C-qat-above-baseline"),
        ),
        tuned.rule(
            "qat-beats-control",
            "Trained at 8 bits, the model is more accurate than float32 trained as long.",
            tuned.pair_superior(qat8, trained),
        ),
        rates.rule(
            "rate",
            "The learning rate that is used is as good as the best other one that was tried.",
            rates.non_inferior("rate.rival.lead"),
        ),
        bits.rule(
            "five-integer-bits-suffice",
            "Beside 4 fractional bits, 5 integer bits are as accurate as 10 in PTQ.",
            bits.pair_non_inferior(at_integer_bits(PTQ, 10), at_integer_bits(PTQ, 5)),
            like=("D-integer-bits",),
        ),
        bits.rule(
            "five-integer-bits-needed",
            "Beside 4 fractional bits, 3 integer bits are less accurate than 5 in PTQ.",
            bits.pair_superior(at_integer_bits(PTQ, 5), at_integer_bits(PTQ, 3)),
        ),
        bits.rule(
            "one-integer-bit-costs",
            "Beside 4 fractional bits, a single integer bit costs accuracy in PTQ.",
            bits.pair_superior(float32, at_integer_bits(PTQ, 1)),
        ),
        tuned_bits.rule(
            "one-integer-bit-trained",
            "Trained with a single integer bit, the model is still less accurate than in float32.",
            tuned_bits.pair_superior(float32, at_integer_bits(QAT, 1)),
            like=("D-integer-bits-qat",),
        ),
        tuned_bits.rule(
            "two-integer-bits-as-seven",
            "Beside 4 fractional bits and after training, 2 integer bits are as accurate as 7.",
            tuned_bits.pair_non_inferior(at_integer_bits(QAT, 7), at_integer_bits(QAT, 2)),
            like=("D-integer-bits-agnostic",),
        ),
        tuned_bits.rule(
            "advised-format-suffices",
            "Trained in Q3.5, 8 bits with 5 of them fractional, the model is as accurate as in "
            "float32.",
            tuned_bits.pair_non_inferior(float32, advised),
            like=("D-advised-format",),
        ),
        tuned_bits.rule(
            "advised-as-good-as-half",
            "Trained in Q3.5, the model is as accurate as with 4 of 8 bits fractional, as in the "
            "lab.",
            tuned_bits.pair_non_inferior(qat8, advised),
            like=("D-advised-format",),
        ),
        tuned_bits.rule(
            "three-fractional-bits-suffice",
            "Beside 5 integer bits and after training, 3 fractional bits are as accurate as 8.",
            tuned_bits.pair_non_inferior(at_fractional_bits(QAT, 8), at_fractional_bits(QAT, 3)),
            like=("D-fractional-bits",),
        ),
        bits.rule(
            "four-fractional-bits-suffice",
            "Beside 5 integer bits, 4 fractional bits are as accurate as 27 in PTQ.",
            bits.pair_non_inferior(at_fractional_bits(PTQ, 27), at_fractional_bits(PTQ, 4)),
        ),
        tuned_bits.rule(
            "three-fractional-bits-recovered",
            "With 3 fractional bits, training recovers something of what rounding lost.",
            tuned_bits.pair_superior(at_fractional_bits(QAT, 3), at_fractional_bits(PTQ, 3)),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
        ),
        tuned_bits.rule(
            "two-fractional-bits-recovered",
            "With 2 fractional bits, training recovers something of what rounding lost.",
            tuned_bits.pair_superior(at_fractional_bits(QAT, 2), at_fractional_bits(PTQ, 2)),
        ),
        several.rule(
            "overfits",
            "Of all the numbers of epochs tried, the largest is not the best one on validation.",
            several.superior("epochs.fall"),
            like=("C-epochs",),
        ),
        beside_one.rule(
            "one-epoch-suffices",
            "A single epoch is as good as the best other number that was tried.",
            beside_one.non_inferior("epochs.rival.lead"),
            against=("C-epochs",),
        ),
    ]
