"""The settings of the searches: Labs 2 and 3."""

from labs.setup.kinds import ascending, different, one_of, whole
from labs.setup.quantities import ACCURACY, LENGTH, NUMBER, RATE, RATES, REVIEWS, SIZE
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

PRECISION = Section(
    "Lab 3: a number format for each linear layer of the base model",
    seeds=Setting(NUMBER, "searches of each kind"),
    trials=Setting(NUMBER, "of each search", "trials"),
    startup=Setting(NUMBER, "random trials before a sampler learns", "trials"),
    finalists=Setting(NUMBER, "of each search, judged on all of validation", "trials"),
    trial_reviews=Setting(REVIEWS, "of the validation split, that trials are judged on", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    reviews=Setting(REVIEWS, "of the training split, where trials train", "reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
    widths=Setting(ascending(whole(2, 32)), "of formats that have a width", "bits"),
    penalties=Setting(RATES, "accuracy that an average bit costs"),
)
