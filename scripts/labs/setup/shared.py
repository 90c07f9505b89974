"""Settings of a preset that several experiments share."""

from dataclasses import dataclass

from labs.records.names.timing import FEWEST_COMPILED
from labs.setup.kinds import whole
from labs.setup.quantities import LENGTH, NUMBER
from labs.setup.section import Settings, setting


@dataclass(frozen=True)
class Shared(Settings):
    """The sizes that several experiments share."""

    processes: int = setting(
        whole(FEWEST_COMPILED, 1000),
        "per comparison at least, each fresh; the units of the statistics",
    )
    budget: int = setting(
        whole(0, 86400),
        "of a timing job for more processes, until ratios are within 5 %",
        "seconds",
    )
    rounds: int = setting(whole(1, 10000), "within a process; each runs every arm in random order")
    chains: int = setting(
        NUMBER,
        "base models, each then quantized, pruned, and searched for formats; and searches among "
        "architectures",
    )
    max_length: int = setting(
        LENGTH, "tokens kept of a review wherever models are trained", "tokens"
    )


SHARED = Shared.section()
TIMING = SHARED.only("processes", "budget", "rounds")
READING = SHARED.only("max-length")
"""What most timings take, and all jobs that read reviews."""
