"""Claims about fixed-point models, rounded and trained: questions 1.1, 1.1b and 1.1c."""

from labs.analysis.values import Values
from labs.claims.statement import Rule
from labs.experiments.compression.rules import OfPoints
from labs.records.record import Record

EXPERIMENT = "quantization"

WIDTHS, BITS, EPOCHS = "lab1-1", "lab1-1b", "lab1-1c"
MOST = 0.9


def rules(record: Record, values: Values) -> list[Rule]:
    widths = OfPoints(record, values, "quantization", WIDTHS)
    tuned = widths.at("compression", "reviews", epochs=1)
    bits, tuned_bits = widths.for_question(BITS), tuned.for_question(BITS)
    epochs = widths.at("compression", "reviews").for_question(EPOCHS)
    several = epochs.only_with("epochs.fall", "several numbers of epochs")
    beside_one = epochs.only_with("epochs.rival", "one epoch and several")

    suffices, fails = widths.non_inferior("PTQ.w8.loss"), widths.superior("PTQ.w4.loss")

    return [
        widths.rule(
            "ptq-eight-suffices",
            "Rounded to 8 bits, 4 of them fractional, the model is as accurate as in float32.",
            suffices,
            like=("C-width-eight",),
        ),
        widths.rule(
            "ptq-four-fails",
            "Rounded to 4 bits, 2 of them fractional, the model is less accurate than in float32.",
            fails,
        ),
        widths.rule(
            "knee",
            "The knee of PTQ lies between 4 bits and 8: the one costs accuracy, the other does "
            "not.",
            widths.if_run("PTQ.w8.ahead", lambda s: s.all_hold([suffices(s), fails(s)])),
            like=("B-width-knee",),
        ),
        tuned.rule(
            "qat-eight-suffices",
            "Trained at 8 bits, the model is as accurate as in float32.",
            tuned.non_inferior("QAT.w8.loss"),
            like=("C-width-eight",),
        ),
        tuned.rule(
            "qat-recovers-four",
            "At 4 bits, training recovers something of what rounding lost.",
            tuned.superior("QAT.w4.recovered"),
        ),
        widths.rule(
            "four-silences",
            "At 4 bits more than nine tenths of the base model's weights are rounded to zero.",
            widths.exceeds("PTQ.w4.zeros", MOST),
        ),
        bits.rule(
            "two-silences",
            "With 2 fractional bits more than nine tenths of the base model's weights are rounded "
            "to zero.",
            bits.exceeds("PTQ.f2.zeros", MOST),
        ),
        tuned.rule(
            "qat-beats-ptq-eight",
            "At 8 bits, the trained model is more accurate than the rounded one.",
            tuned.superior("QAT.w8.recovered"),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
        ),
        tuned.rule(
            "qat-beats-float32",
            "Trained at 8 bits, the model is more accurate than the float32 model it started from.",
            tuned.superior("QAT.w8.over_float32"),
            like=("D-qat-above-baseline", "C-qat-above-baseline"),
        ),
        tuned.rule(
            "qat-beats-control",
            "Trained at 8 bits, the model is more accurate than float32 trained as long.",
            tuned.superior("QAT.w8.control"),
        ),
        bits.rule(
            "five-integer-bits-suffice",
            "Beside 4 fractional bits, 5 integer bits are as accurate as 10 in PTQ.",
            bits.non_inferior("PTQ.i10.over_five"),
            like=("D-integer-bits",),
        ),
        bits.rule(
            "five-integer-bits-needed",
            "Beside 4 fractional bits, 3 integer bits are less accurate than 5 in PTQ.",
            bits.superior("PTQ.i5.over_three"),
        ),
        bits.rule(
            "one-integer-bit-costs",
            "Beside 4 fractional bits, a single integer bit costs accuracy in PTQ.",
            bits.superior("PTQ.i1.loss"),
        ),
        tuned_bits.rule(
            "one-integer-bit-trained",
            "Trained with a single integer bit, the model is still less accurate than in float32.",
            bits.superior("QAT.i1.loss"),
            like=("D-integer-bits-qat",),
        ),
        tuned_bits.rule(
            "two-integer-bits-as-seven",
            "Beside 4 fractional bits and after training, 2 integer bits are as accurate as 7.",
            bits.non_inferior("QAT.i7.over_two"),
            like=("D-integer-bits-agnostic",),
        ),
        tuned_bits.rule(
            "advised-format-suffices",
            "Trained in Q3.5, 8 bits with 5 of them fractional, the model is as accurate as in "
            "float32.",
            bits.non_inferior("QAT.advised.loss"),
            like=("D-advised-format",),
        ),
        tuned_bits.rule(
            "advised-as-good-as-half",
            "Trained in Q3.5, the model is as accurate as with 4 of 8 bits fractional, as in the "
            "lab.",
            bits.non_inferior("QAT.w8.over_advised"),
            like=("D-advised-format",),
        ),
        tuned_bits.rule(
            "three-fractional-bits-suffice",
            "Beside 5 integer bits and after training, 3 fractional bits are as accurate as 8.",
            bits.non_inferior("QAT.f8.over_three"),
            like=("D-fractional-bits",),
        ),
        bits.rule(
            "four-fractional-bits-suffice",
            "Beside 5 integer bits, 4 fractional bits are as accurate as 27 in PTQ.",
            bits.non_inferior("PTQ.f27.over_four"),
        ),
        tuned_bits.rule(
            "three-fractional-bits-recovered",
            "With 3 fractional bits, training recovers something of what rounding lost.",
            bits.superior("QAT.f3.recovered"),
            like=("B-qat-above-ptq", "C-qat-above-ptq"),
        ),
        tuned_bits.rule(
            "two-fractional-bits-recovered",
            "With 2 fractional bits, training recovers something of what rounding lost.",
            bits.superior("QAT.f2.recovered"),
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
