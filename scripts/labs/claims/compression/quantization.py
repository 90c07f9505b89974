"""Claims about fixed-point models, rounded and trained: questions 1.1, 1.1b and 1.1c."""

from __future__ import annotations

from labs.analysis.compression.quantization import (
    at_fractional_bits,
    at_integer_bits,
    at_width,
    best_epochs,
    best_rate,
    epochs_run,
    fall_from_peak,
    in_float32,
    of_epochs,
    of_rate,
    used_rate,
    values,
)
from labs.claims.claim import Rule, Statement
from labs.claims.paired import MARGIN, Paired
from labs.records.names.quantization import PTQ, QAT
from labs.records.record import MEASURED, Record

WIDTHS, BITS, EPOCHS = "lab1-1", "lab1-1b", "lab1-1c"
MOST = 0.9


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about fixed-point models, and how each is judged."""
    paired, measured = Paired(record), record["status"] == MEASURED

    def said(
        short: str,
        question: str,
        words: str,
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Statement:
        return Statement(f"quantization.{short}", question, record["device"], words, like, against)

    float32, trained = in_float32(PTQ), in_float32(QAT)
    ptq8, ptq4, qat8, qat4 = (at_width(arm, n) for arm in (PTQ, QAT) for n in (8, 4))
    return [
        paired.below(
            said(
                "ptq-eight-suffices",
                WIDTHS,
                "Rounded to 8 bits, 4 of them fractional, the model loses less than a point.",
                like=("C-width-eight",),
            ),
            float32,
            ptq8,
            MARGIN,
        ),
        paired.above(
            said(
                "ptq-four-fails",
                WIDTHS,
                "Rounded to 4 bits, 2 of them fractional, the model loses more than a point.",
            ),
            float32,
            ptq4,
            MARGIN,
        ),
        Rule(
            said(
                "knee",
                WIDTHS,
                "The knee of PTQ lies between 4 bits and 8: the one loses more than a point, the "
                "other less.",
                like=("B-width-knee",),
            ),
            lambda s: s.both(
                s.below_in_all(*paired.ahead(float32, ptq8), MARGIN),
                s.above_in_all(*paired.ahead(float32, ptq4), MARGIN),
                paired.ahead(ptq8, ptq4)[0],
            ),
            paired.missing(float32, ptq8, ptq4),
        ),
        paired.below(
            said(
                "qat-eight-suffices",
                WIDTHS,
                "Trained at 8 bits, the model loses less than a point against float32.",
                like=("C-width-eight",),
            ),
            float32,
            qat8,
            MARGIN,
        ),
        paired.above(
            said(
                "qat-recovers-four",
                WIDTHS,
                "At 4 bits, training recovers something of what rounding lost.",
                like=("B-qat-above-ptq", "C-qat-above-ptq"),
            ),
            qat4,
            ptq4,
        ),
        Rule(
            said(
                "four-silences",
                WIDTHS,
                "At 4 bits more than nine tenths of the weights are rounded to zero.",
            ),
            lambda s: s.above(values(record)["quantization.PTQ.w4.zeros"], MOST),
            paired.missing(ptq4),
        ),
        Rule(
            said(
                "two-silences",
                BITS,
                "With 2 fractional bits more than nine tenths of the weights are rounded to zero.",
            ),
            lambda s: s.above(values(record)["quantization.PTQ.f2.zeros"], MOST),
            paired.missing(at_fractional_bits(PTQ, 2)),
        ),
        paired.above(
            said(
                "qat-beats-ptq-eight",
                WIDTHS,
                "At 8 bits, the trained model is more accurate than the rounded one.",
                like=("B-qat-above-ptq", "C-qat-above-ptq"),
            ),
            qat8,
            ptq8,
        ),
        paired.above(
            said(
                "qat-beats-float32",
                WIDTHS,
                "Trained at 8 bits, the model is more accurate than the float32 model it started "
                "from.",
                like=("D-qat-above-baseline", "C-qat-above-baseline"),
            ),
            qat8,
            float32,
        ),
        paired.above(
            said(
                "qat-beats-control",
                WIDTHS,
                "Trained at 8 bits, the model is more accurate than float32 trained as long.",
            ),
            qat8,
            trained,
        ),
        Rule(
            said(
                "rate",
                WIDTHS,
                "No other learning rate that was tried does better by more than a point.",
            ),
            lambda s: s.below_in_all(
                *paired.ahead(of_rate(best_rate(record)), of_rate(used_rate(record))), MARGIN
            ),
        ),
        paired.below(
            said(
                "five-integer-bits-suffice",
                BITS,
                "Beside 4 fractional bits, 10 integer bits gain less than a point over 5 in PTQ.",
                like=("D-integer-bits",),
            ),
            at_integer_bits(PTQ, 10),
            at_integer_bits(PTQ, 5),
            MARGIN,
        ),
        paired.above(
            said(
                "five-integer-bits-needed",
                BITS,
                "Beside 4 fractional bits, 3 integer bits lose more than a point against 5 in PTQ.",
                like=("D-integer-bits",),
            ),
            at_integer_bits(PTQ, 5),
            at_integer_bits(PTQ, 3),
            MARGIN,
        ),
        paired.above(
            said(
                "one-integer-bit-costs",
                BITS,
                "Beside 4 fractional bits, a single integer bit costs more than a point in PTQ.",
            ),
            float32,
            at_integer_bits(PTQ, 1),
            MARGIN,
        ),
        paired.above(
            said(
                "one-integer-bit-trained",
                BITS,
                "Trained with a single integer bit, the model still loses more than a point.",
                like=("D-integer-bits-qat",),
            ),
            float32,
            at_integer_bits(QAT, 1),
            MARGIN,
        ),
        paired.below(
            said(
                "three-fractional-bits-suffice",
                BITS,
                "Beside 5 integer bits and after training, 8 fractional bits gain less than a "
                "point over 3.",
                like=("D-fractional-bits",),
            ),
            at_fractional_bits(QAT, 8),
            at_fractional_bits(QAT, 3),
            MARGIN,
        ),
        paired.below(
            said(
                "four-fractional-bits-suffice",
                BITS,
                "Beside 5 integer bits, 27 fractional bits gain less than a point over 4 in PTQ.",
            ),
            at_fractional_bits(PTQ, 27),
            at_fractional_bits(PTQ, 4),
            MARGIN,
        ),
        paired.above(
            said(
                "three-fractional-bits-recovered",
                BITS,
                "With 3 fractional bits, training recovers more than a point of what rounding "
                "lost.",
            ),
            at_fractional_bits(QAT, 3),
            at_fractional_bits(PTQ, 3),
            MARGIN,
        ),
        paired.above(
            said(
                "two-fractional-bits-recovered",
                BITS,
                "With 2 fractional bits, training recovers more than a point of what rounding "
                "lost.",
            ),
            at_fractional_bits(QAT, 2),
            at_fractional_bits(PTQ, 2),
            MARGIN,
        ),
        Rule(
            said(
                "overfits",
                EPOCHS,
                "Of all the numbers of epochs tried, the largest is not the best one on "
                "validation.",
                like=("C-epochs",),
            ),
            lambda s: s.above_in_all(*fall_from_peak(record)[1:], 0),
            "" if not measured or len(epochs_run(record)) > 1 else "one number of epochs is tried",
        ),
        Rule(
            said(
                "one-epoch-suffices",
                EPOCHS,
                "The best number of epochs gains less than a point over a single one.",
                against=("C-epochs",),
            ),
            lambda s: s.below_in_all(
                *paired.ahead(of_epochs(best_epochs(record)), of_epochs(1)), MARGIN
            ),
            paired.missing(of_epochs(1)),
        ),
    ]
