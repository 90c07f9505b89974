"""Settings of the base model."""

from dataclasses import dataclass

from labs.setup.kinds import one_of, text
from labs.setup.quantities import ACCURACY, NUMBER, REVIEWS, AtOneRate, Experiment, Limit
from labs.setup.section import Settings, setting
from labs.setup.shared import READING


@dataclass(frozen=True)
class Sizes(AtOneRate, Experiment):
    """The trained BERT-tiny that the other labs start from."""

    path = "base-model"

    held_out: Limit = setting(REVIEWS, "of the validation and of the test split, each", "reviews")
    epochs: int = setting(NUMBER, "passes over the reviews")
    least_accuracy: float = setting(ACCURACY, "on the validation split; below it the job fails")


@dataclass(frozen=True)
class Model(Settings):
    """The weights that BERT-tiny is trained from."""

    source: str = setting(
        one_of("scratch", "hub", "path"), "scratch: random; hub: Hugging Face; path: a folder"
    )
    name: str = setting(
        text("the name of a model on the hub, or the path of its folder"),
        "the folder holds config.json and model.safetensors",
    )


SETTINGS = (Sizes.section().without("job-memory"), READING)
