"""Settings of the count of reviews."""

from dataclasses import dataclass

from labs.experiments.base_model import sizes as base_model
from labs.setup.quantities import Experiment
from labs.setup.shared import READING


@dataclass(frozen=True)
class Sizes(Experiment):
    """The reviews, counted."""

    path = "reviews"


SETTINGS = (base_model.Sizes.section().only("batch-size"), READING)
