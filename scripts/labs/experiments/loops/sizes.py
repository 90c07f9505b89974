"""Settings of the training loops."""

from dataclasses import dataclass

from labs.setup.quantities import NUMBER, RATE, REVIEWS, SIZE, Experiment, Limit
from labs.setup.section import setting
from labs.setup.shared import SHARED


@dataclass(frozen=True)
class Sizes(Experiment):
    """The training loop against transformers' Trainer, at 512 tokens."""

    path = "loops"

    rounds: int = setting(
        NUMBER, "within a process; each trains once with every loop, in random order"
    )
    reviews: Limit = setting(REVIEWS, "of the training split", "reviews")
    held_out: Limit = setting(REVIEWS, "of the validation split", "reviews")
    batch_size: int = setting(SIZE, "reviews per training step", "reviews")
    learning_rate: float = setting(RATE, "the highest of the one-cycle schedule")


JOB = (Sizes.section().without("job-memory"), SHARED.only("processes", "budget"))
