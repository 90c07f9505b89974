"""Settings of the graphs."""

from dataclasses import dataclass

from labs.setup.kinds import whole
from labs.setup.quantities import SIZE, Experiment
from labs.setup.section import setting


@dataclass(frozen=True)
class Sizes(Experiment):
    """Questions of Lab 0: the graphs of BERT-tiny."""

    path = "graphs"

    batch_size: int = setting(SIZE, "sequences per batch", "sequences")
    sequence_length: int = setting(whole(2, 512, of="tokens"), "tokens per sequence", "tokens")


SETTINGS = (Sizes.section().without("job-memory"),)
