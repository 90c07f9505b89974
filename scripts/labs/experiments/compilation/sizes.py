"""Settings of torch.compile."""

from labs.setup.kinds import ascending, different, one_of, up_to_four, whole
from labs.setup.quantities import SIZE, TOKENS
from labs.setup.section import Section, Setting

MODES = different(one_of("train+grad", "eval+no_grad"))
DEPTHS = up_to_four(whole(1, 100), ", one per stage")
ITERATIONS = ascending(whole(2, 10**6, of="iterations"))
PIXELS = whole(64, 4096, of="pixels")
COMPILATION = Section(
    "questions 1a and 1b: torch.compile",
    batch_size=Setting(SIZE, "as many as fit into memory, where this is too many", "images"),
    image_size=Setting(PIXELS, "height and width of every image", "pixels"),
    depths=Setting(DEPTHS, "residual blocks; [2, 2, 2, 2] is ResNet-18", "blocks"),
    processes=Setting(whole(1, 1000), "of each mode, each with an empty compiler cache"),
    calls=Setting(whole(4, 10000), "of the corrected model in a process, the first included"),
    counts=Setting(
        ITERATIONS, "n, to average over; of the lab's code, the first is run", "iterations"
    ),
    small_batch_size=Setting(SIZE, "on which modes and the cache are compared", "images"),
    bert_tiny=Section(
        "another model, on which they are compared as well",
        batch_size=Setting(SIZE, "sequences per batch", "sequences"),
        sequence_length=Setting(TOKENS, "tokens per sequence", "tokens"),
        layers=Setting(whole(1, 100), "of the encoder; 2 is BERT-tiny"),
        modes=Setting(MODES, "in which it is compiled"),
    ),
)

OF_THE_LAB = ("batch-size", "image-size", "depths", "processes", "calls", "counts")
"""The settings of the lab's own measurement."""

BY_MODE = ("image-size", "depths", "small-batch-size", "bert-tiny")
"""Those of the comparison of modes and caches."""
