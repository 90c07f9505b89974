"""Settings of the search among number formats."""

from labs.setup.kinds import ascending, whole
from labs.setup.quantities import NUMBER, RATE, RATES, REVIEWS, SIZE
from labs.setup.section import Section, Setting

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

IN_EACH = [name for name in PRECISION.keys if name != "seeds"]
"""The settings of each search: all but how many there are."""
