"""Settings of full fine-tuning and LoRA."""

from labs.setup.kinds import number, one_of, whole
from labs.setup.quantities import NUMBER, RATE, REVIEWS, SIZE
from labs.setup.section import Section, Setting

DROPOUT = number("of at least 0 and below 1", lambda value: 0 <= value < 1)
LORA = Section(
    "question 0.3: full fine-tuning (SFT) against LoRA",
    start=Setting(
        one_of("words", "encoder"), "a pretrained encoder, or its words under random layers"
    ),
    layers=Setting(whole(1, 6), "of the model; the pretrained encoder has 6"),
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the test split", "reviews"),
    seeds=Setting(whole(2, 1000), "trainings per arm"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    sft_learning_rate=Setting(RATE, "the highest of full fine-tuning"),
    lora_learning_rate=Setting(RATE, "the highest of LoRA"),
    rank=Setting(NUMBER, "of the adapters"),
    alpha=Setting(NUMBER, "the adapters' outputs are scaled by alpha / rank"),
    dropout=Setting(DROPOUT, "share of the adapters' inputs set to zero while they train"),
)

WAYS = [name for name in LORA.keys if name not in ("reviews", "held-out", "seeds")]
"""The settings of the ways themselves, whether they are timed or judged."""
