"""Settings of the training loops."""

from labs.setup.quantities import NUMBER, RATE, REVIEWS, SIZE
from labs.setup.section import Section, Setting

LOOPS = Section(
    "the training loop against transformers' Trainer, at 512 tokens",
    rounds=Setting(NUMBER, "within a process; each trains once with every loop, in random order"),
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the validation split", "reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
)
