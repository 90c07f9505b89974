"""Settings of the base model."""

from labs.setup.kinds import one_of, text
from labs.setup.quantities import ACCURACY, NUMBER, RATE, REVIEWS, SIZE
from labs.setup.section import Section, Setting

BASE_MODEL = Section(
    "the trained BERT-tiny that the other labs start from",
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    epochs=Setting(NUMBER, "passes over the reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
    least_accuracy=Setting(ACCURACY, "on the validation split; below it the job fails"),
)

MODEL_NAME = text("the name of a model on the hub, or the path of its folder")
MODEL = Section(
    "the weights that BERT-tiny is trained from",
    source=Setting(
        one_of("scratch", "hub", "path"), "scratch: random; hub: Hugging Face; path: a folder"
    ),
    name=Setting(MODEL_NAME, "the folder holds config.json and model.safetensors"),
)
