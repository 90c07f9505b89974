"""Settings that several experiments share."""

from labs.records.names.timing import FEWEST_COMPILED
from labs.setup.kinds import whole
from labs.setup.quantities import LENGTH
from labs.setup.section import Section, Setting

SHARED = Section(
    "the sizes that several experiments share",
    processes=Setting(
        whole(FEWEST_COMPILED, 1000),
        "per comparison at least, each fresh; the units of the statistics",
    ),
    budget=Setting(
        whole(0, 86400),
        "of a timing job for more processes, until ratios are within 5 %",
        "seconds",
    ),
    rounds=Setting(whole(1, 10000), "within a process; each runs every arm in random order"),
    max_length=Setting(LENGTH, "tokens kept of a review wherever models are trained", "tokens"),
)
