"""Settings of quantization and pruning."""

from dataclasses import dataclass

from labs.setup.kinds import Kind, ascending, different, is_whole, whole
from labs.setup.quantities import (
    NUMBER,
    REVIEWS,
    SHARES,
    SIZE,
    TOKENS,
    AtChosenRate,
    Experiment,
    Limit,
)
from labs.setup.section import Settings, setting, subsection
from labs.setup.shared import READING, TIMING

EPOCHS = ascending(NUMBER)
INTEGERS = ascending(whole(1, 28))  # beside 4 fractional bits, of at most 32
FRACTIONS = ascending(whole(0, 27))  # beside 5 integer bits
HIDDEN_SIZE = Kind(
    "a multiple of 64, the size of a head, up to 65536",
    lambda value: is_whole(value) and 64 <= value <= 65536 and value % 64 == 0,
    "multiples of 64, the size of a head, up to 65536",
)


@dataclass(frozen=True)
class Speed(Settings):
    """Timing of training steps, and of pruned models."""

    path = "compression.speed"

    batch_size: int = setting(SIZE, "reviews per batch", "reviews")
    sequence_length: int = setting(TOKENS, "tokens per review", "tokens")
    hidden_sizes: list[int] = setting(
        different(HIDDEN_SIZE), "of the models that train; BERT-tiny has 128"
    )
    sparsities: list[float] = setting(SHARES, "shares of the weights that are pruned")


@dataclass(frozen=True)
class IntegerBits(Settings):
    """Compared beside 4 fractional bits."""

    untrained: list[int] = setting(INTEGERS, "of models that are not fine-tuned", "bits")
    trained: list[int] = setting(INTEGERS, "of models that are fine-tuned", "bits")


@dataclass(frozen=True)
class FractionalBits(Settings):
    """Compared beside 5 integer bits."""

    untrained: list[int] = setting(FRACTIONS, "of models that are not fine-tuned", "bits")
    trained: list[int] = setting(FRACTIONS, "of models that are fine-tuned", "bits")


@dataclass(frozen=True)
class Sparsities(Settings):
    """Shares of the weights that are pruned."""

    untrained: list[float] = setting(SHARES, "in the curves that are not fine-tuned")
    trained: list[float] = setting(SHARES, "in the curves that are fine-tuned")


@dataclass(frozen=True)
class Sizes(AtChosenRate, Experiment):
    """Questions 1.1 and 1.2: the base model, quantized and pruned."""

    path = "compression"
    must_contain = {"epochs": 1}

    reviews: Limit = setting(REVIEWS, "of the training split, to fine-tune on", "reviews")
    held_out: Limit = setting(REVIEWS, "of the validation and of the test split, each", "reviews")
    epochs: list[int] = setting(
        EPOCHS, "of fine-tuning, compared at 8 bits; 1, used elsewhere, is one"
    )
    widths: list[int] = setting(
        ascending(whole(2, 32)), "of a number; half of it is fractional", "bits"
    )
    integer_bits: IntegerBits = subsection(IntegerBits)
    fractional_bits: FractionalBits = subsection(FractionalBits)
    sparsities: Sparsities = subsection(Sparsities)
    speed: Speed = subsection(Speed)


JUDGED = (Sizes.section().only("held-out"), READING)
"""What every job on the base model reads."""

TRAINED = (*JUDGED, Sizes.section().only("reviews", "learning-rates"))
QUANTIZATION = (
    *TRAINED,
    Sizes.section().only("widths", "integer-bits", "fractional-bits", "epochs"),
)
PRUNING = (*TRAINED, Sizes.section().only("sparsities"))
SPEED = (Speed.section(), TIMING)
