"""Settings of the search among architectures."""

from dataclasses import dataclass

from labs.setup.kinds import ascending, different, one_of, whole
from labs.setup.quantities import (
    ACCURACY,
    LENGTH,
    NUMBER,
    REVIEWS,
    AtChosenRate,
    Experiment,
    Limit,
    Training,
)
from labs.setup.section import Settings, setting


@dataclass(frozen=True)
class Bench(Training):
    """How an architecture is trained and judged."""

    path = "search"

    init: str = setting(
        one_of("embeddings", "random"), "embeddings: a pretrained encoder's, of words"
    )
    max_length: int = setting(LENGTH, "tokens kept of a review", "tokens")
    held_out: Limit = setting(REVIEWS, "of the validation and of the test split, each", "reviews")
    epochs: int = setting(NUMBER, "passes over the reviews")
    compressed_epochs: int = setting(NUMBER, "of training after compression")


@dataclass(frozen=True)
class Grid(Settings):
    """The grid of architectures."""

    path = "search"

    layers: list[int] = setting(
        ascending(whole(1, 24)), "of the encoder; the first one's is the default"
    )
    replaced: list[str] = setting(
        different(one_of("query+key", "value", "output")),
        "layers that may be Identity; query+key: one of the two",
    )


@dataclass(frozen=True)
class Comparison(Settings):
    """How samplers are replayed."""

    path = "search"

    sampler_seeds: int = setting(whole(2, 1000), "replays of each sampler on what was trained")
    startup: int = setting(NUMBER, "random trials before TPE learns", "trials")


@dataclass(frozen=True)
class Sizes(AtChosenRate, Comparison, Grid, Bench, Experiment):
    """Questions 2.1, 2.1b and 2.2: a search among architectures."""

    least_accuracy: float = setting(
        ACCURACY, "of the default on validation; below it the job fails"
    )
    noise_seeds: int = setting(whole(2, 1000), "trainings of the default")
    more_epochs: int = setting(whole(2, 1000), "of training the winner, to see it overfit")
    more_held_out: Limit = setting(
        REVIEWS, "of validation, judged ten times an epoch then", "reviews"
    )
    lab_trials: int = setting(
        whole(0, 1000), "of each sampler on the lab's whole space; 0: none", "trials"
    )
    lab_memory: int = setting(
        whole(1, 10**6), "memory of a job on the lab's whole space, at most", "MB"
    )


GRID = (Bench.section(), Grid.section())
ARCHITECTURES = (
    *GRID,
    Comparison.section(),
    Sizes.section().only("learning-rates", "least-accuracy"),
)
COMPRESSION = (*GRID, Comparison.section())
EPOCHS = (*GRID, Sizes.section().only("more-epochs", "more-held-out"))
LAB_SPACE = (Bench.section(), Sizes.section().only("startup", "lab-trials"))
