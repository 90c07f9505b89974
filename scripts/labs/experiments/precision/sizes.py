"""Settings of the search among number formats."""

from dataclasses import dataclass

from labs.setup.kinds import ascending, whole
from labs.setup.quantities import (
    NUMBER,
    RATES,
    REVIEWS,
    AtChosenRate,
    Experiment,
    Limit,
    Training,
)
from labs.setup.section import setting
from labs.setup.shared import READING


@dataclass(frozen=True)
class Searches(AtChosenRate):
    """The searches, wherever models are judged."""

    path = "precision"

    trials: int = setting(NUMBER, "of each search", "trials")
    startup: int = setting(NUMBER, "random trials before a sampler learns", "trials")
    finalists: int = setting(NUMBER, "of each search, judged on all of validation", "trials")
    widths: list[int] = setting(ascending(whole(2, 32)), "of formats that have a width", "bits")
    penalties: list[float] = setting(RATES, "accuracy that an average bit costs")


@dataclass(frozen=True)
class Sizes(Searches, Training, Experiment):
    """Lab 3: a number format for each linear layer of the base model."""

    trial_reviews: Limit = setting(
        REVIEWS, "of the validation split, that trials are judged on", "reviews"
    )
    held_out: Limit = setting(REVIEWS, "of the validation and of the test split, each", "reviews")


SETTINGS = (Sizes.section().without("job-memory"), READING)
