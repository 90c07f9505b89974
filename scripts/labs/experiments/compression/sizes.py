"""Settings of quantization and pruning."""

from labs.setup.kinds import Kind, ascending, different, is_whole, whole
from labs.setup.quantities import NUMBER, RATE, RATES, REVIEWS, SHARES, SIZE, TOKENS
from labs.setup.section import Section, Setting

EPOCHS = ascending(NUMBER)
INTEGERS = ascending(whole(1, 28))  # beside 4 fractional bits, of at most 32
FRACTIONS = ascending(whole(0, 27))  # beside 5 integer bits
HIDDEN_SIZE = Kind(
    "a multiple of 64, the size of a head, up to 65536",
    lambda value: is_whole(value) and 64 <= value <= 65536 and value % 64 == 0,
    "multiples of 64, the size of a head, up to 65536",
)
SPEED = Section(
    "timing of training steps, and of pruned models",
    batch_size=Setting(SIZE, "reviews per batch", "reviews"),
    sequence_length=Setting(TOKENS, "tokens per review", "tokens"),
    hidden_sizes=Setting(different(HIDDEN_SIZE), "of the models that train; BERT-tiny has 128"),
    sparsities=Setting(SHARES, "shares of the weights that are pruned"),
)
COMPRESSION = Section(
    "questions 1.1 and 1.2: the base model, quantized and pruned",
    {"epochs": 1, "learning-rates": "learning-rate"},
    seeds=Setting(NUMBER, "trainings per point"),
    reviews=Setting(REVIEWS, "of the training split, to fine-tune on", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    learning_rate=Setting(RATE, "of fine-tuning; the best of learning-rates on validation"),
    learning_rates=Setting(RATES, "compared at 8 bits, 3 fractional; learning-rate is one"),
    epochs=Setting(EPOCHS, "of fine-tuning, compared at 8 bits; 1, used elsewhere, is one"),
    widths=Setting(ascending(whole(2, 32)), "of a number; half of it is fractional", "bits"),
    integer_bits=Section(
        "compared beside 4 fractional bits",
        untrained=Setting(INTEGERS, "of models that are not fine-tuned", "bits"),
        trained=Setting(INTEGERS, "of models that are fine-tuned", "bits"),
    ),
    fractional_bits=Section(
        "compared beside 5 integer bits",
        untrained=Setting(FRACTIONS, "of models that are not fine-tuned", "bits"),
        trained=Setting(FRACTIONS, "of models that are fine-tuned", "bits"),
    ),
    sparsities=Section(
        "shares of the weights that are pruned",
        untrained=Setting(SHARES, "in the curves that are not fine-tuned"),
        trained=Setting(SHARES, "in the curves that are fine-tuned"),
    ),
    speed=SPEED,
)

FORMATS = ("widths", "integer-bits", "fractional-bits", "epochs", "learning-rate", "learning-rates")
"""The settings of quantization."""

PRUNING = ("sparsities", "learning-rate")
"""Those of pruning."""
