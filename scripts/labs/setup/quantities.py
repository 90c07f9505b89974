"""The quantities that settings of several experiments have."""

from dataclasses import dataclass
from typing import Literal

from labs.setup.kinds import all_or, ascending, different, number, whole
from labs.setup.section import Settings, setting

Limit = int | Literal["all"]
"""How many reviews of a split are read."""

NUMBER = whole(1, 1000)
SIZE = whole(1, 65536)
TOKENS = whole(1, 512, of="tokens")
LENGTH = whole(8, 512, of="tokens")
REVIEWS = all_or(whole(32, 1000000))
RATE = number("above 0 and of at most 1", lambda value: 0 < value <= 1)
SHARES = different(number("above 0 and below 1", lambda value: 0 < value < 1))
COUNTS = ascending(whole(1, 1000000))
LENGTHS = ascending(SIZE)
ACCURACY = number("from 0 to 1", lambda value: 0 <= value <= 1)
RATES = different(RATE)


@dataclass(frozen=True)
class Experiment(Settings):
    """What the section of every experiment has."""

    job_memory: int = setting(whole(1, 10**6), "memory of its largest job, at most", "MB")


@dataclass(frozen=True)
class Training(Settings):
    """How models are trained."""

    reviews: Limit = setting(REVIEWS, "of the training split", "reviews")
    batch_size: int = setting(SIZE, "reviews per training step", "reviews")


@dataclass(frozen=True)
class AtOneRate(Training):
    """How models are trained whose learning rate is given."""

    learning_rate: float = setting(RATE, "the highest of the one-cycle schedule")


@dataclass(frozen=True)
class AtChosenRate(Settings):
    """Trainings whose learning rate each chain chooses on validation."""

    learning_rates: list[float] = setting(
        RATES, "tried at one point; the best on validation is that of all others"
    )
