"""Settings of the graphs."""

from labs.setup.kinds import whole
from labs.setup.quantities import SIZE
from labs.setup.section import Section, Setting

GRAPHS = Section(
    "questions of Lab 0: the graphs of BERT-tiny",
    batch_size=Setting(SIZE, "sequences per batch", "sequences"),
    sequence_length=Setting(whole(2, 512, of="tokens"), "tokens per sequence", "tokens"),
)
