"""Settings of the training loops."""

from dataclasses import dataclass

from labs.setup.quantities import NUMBER, REVIEWS, AtOneRate, Experiment, Limit
from labs.setup.section import setting
from labs.setup.shared import SHARED


@dataclass(frozen=True)
class Sizes(AtOneRate, Experiment):
    """The training loop against transformers' Trainer, at 512 tokens."""

    path = "loops"

    rounds: int = setting(
        NUMBER, "within a process; each trains once with every loop, in random order"
    )
    held_out: Limit = setting(REVIEWS, "of the validation split", "reviews")


SETTINGS = (Sizes.section().without("job-memory"), SHARED.only("processes", "budget"))
