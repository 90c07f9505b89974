"""Settings of full fine-tuning and LoRA."""

from dataclasses import dataclass

from labs.setup.kinds import number, one_of, whole
from labs.setup.quantities import NUMBER, RATE, REVIEWS, SIZE, Experiment, Limit
from labs.setup.section import Settings, setting
from labs.setup.shared import READING, TIMING

DROPOUT = number("of at least 0 and below 1", lambda value: 0 <= value < 1)


@dataclass(frozen=True)
class Ways(Settings):
    """The ways themselves, whether they are timed or judged."""

    path = "lora"

    init: str = setting(
        one_of("embeddings", "encoder"),
        "a pretrained encoder, or its word embeddings under random layers",
    )
    layers: int = setting(whole(1, 6), "of the model; the pretrained encoder has 6")
    batch_size: int = setting(SIZE, "reviews per training step", "reviews")
    sft_learning_rate: float = setting(RATE, "the highest of full fine-tuning")
    lora_learning_rate: float = setting(RATE, "the highest of LoRA")
    rank: int = setting(NUMBER, "of the adapters")
    alpha: int = setting(NUMBER, "the adapters' outputs are scaled by alpha / rank")
    dropout: float = setting(DROPOUT, "share of the adapters' inputs set to zero while they train")


@dataclass(frozen=True)
class Sizes(Ways, Experiment):
    """Question 0.3: full fine-tuning (SFT) against LoRA."""

    reviews: Limit = setting(REVIEWS, "of the training split", "reviews")
    held_out: Limit = setting(REVIEWS, "of the test split", "reviews")
    seeds: int = setting(whole(2, 1000), "trainings per arm")


TRAINING = (Ways.section(), READING, Sizes.section().only("reviews", "held-out"))
SPEED = (Ways.section(), READING, TIMING)
