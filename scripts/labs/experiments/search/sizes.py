"""Settings of the search among architectures."""

from labs.setup.kinds import ascending, different, one_of, whole
from labs.setup.quantities import ACCURACY, LENGTH, NUMBER, RATE, REVIEWS, SIZE
from labs.setup.section import Section, Setting

REPLACED = different(one_of("query+key", "value", "output"))
SEARCH = Section(
    "questions 2.1, 2.1b and 2.2: a search among architectures",
    seeds=Setting(NUMBER, "trainings per architecture"),
    layers=Setting(ascending(whole(1, 24)), "of the encoder; the first one's is the default"),
    replaced=Setting(REPLACED, "layers that may be Identity; query+key: one of the two"),
    start=Setting(one_of("words", "scratch"), "words: word embeddings of a pretrained encoder"),
    max_length=Setting(LENGTH, "tokens kept of a review", "tokens"),
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    epochs=Setting(NUMBER, "passes over the reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
    least_accuracy=Setting(ACCURACY, "of the default on validation; below it the job fails"),
    sampler_seeds=Setting(whole(2, 1000), "replays of each sampler on what was trained"),
    startup=Setting(NUMBER, "random trials before TPE learns", "trials"),
    noise_seeds=Setting(whole(2, 1000), "trainings of the default"),
    compressed_epochs=Setting(NUMBER, "of training after compression"),
    more_epochs=Setting(whole(2, 1000), "of training the winner, to see it overfit"),
    more_held_out=Setting(REVIEWS, "of validation, judged ten times an epoch then", "reviews"),
    shards=Setting(NUMBER, "jobs over which the grid's trainings of one seed are split"),
    lab_trials=Setting(
        whole(0, 1000), "of each sampler on the lab's whole space; 0: none", "trials"
    ),
)

ON_BENCH = (
    "start",
    "max-length",
    "reviews",
    "held-out",
    "epochs",
    "batch-size",
    "learning-rate",
    "compressed-epochs",
)
"""How an architecture is trained and judged."""

ON_GRID = ("layers", "replaced", *ON_BENCH)
"""The same, and the grid that it is one of."""

COMPARISON = ("sampler-seeds", "startup")
"""How samplers are replayed."""
