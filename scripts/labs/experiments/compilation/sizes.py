"""Settings of torch.compile."""

from dataclasses import dataclass

from labs.setup.kinds import ascending, different, one_of, up_to_four, whole
from labs.setup.quantities import SIZE, TOKENS, Experiment
from labs.setup.section import Settings, setting, subsection
from labs.setup.shared import SHARED

MODES = different(one_of("train+grad", "eval+no_grad"))
DEPTHS = up_to_four(whole(1, 100), ", one per stage")
ITERATIONS = ascending(whole(2, 10**6, of="iterations"))
PIXELS = whole(64, 4096, of="pixels")


@dataclass(frozen=True)
class BertTiny(Settings):
    """Another model, on which they are compared as well."""

    batch_size: int = setting(SIZE, "sequences per batch", "sequences")
    sequence_length: int = setting(TOKENS, "tokens per sequence", "tokens")
    layers: int = setting(whole(1, 100), "of the encoder; 2 is BERT-tiny")
    modes: list[str] = setting(MODES, "in which it is compiled")


@dataclass(frozen=True)
class Sizes(Experiment):
    """Questions 1a and 1b: torch.compile."""

    path = "compilation"

    job_memory: int = setting(
        whole(1, 10**6),
        "memory of its largest job; with less, the lab's loop runs fewer images",
        "MB",
    )
    batch_size: int = setting(SIZE, "as many as fit into memory, where this is too many", "images")
    image_size: int = setting(PIXELS, "height and width of every image", "pixels")
    depths: list[int] = setting(DEPTHS, "residual blocks; [2, 2, 2, 2] is ResNet-18", "blocks")
    processes: int = setting(whole(1, 1000), "of each mode, each with an empty compiler cache")
    calls: int = setting(whole(4, 10000), "of the corrected model in a process, the first included")
    counts: list[int] = setting(
        ITERATIONS, "to average over; the lab's own mode runs only the first number", "iterations"
    )
    small_batch_size: int = setting(SIZE, "on which modes and the cache are compared", "images")
    bert_tiny: BertTiny = subsection(BertTiny)


LAB = (Sizes.section().only("batch-size", "image-size", "depths", "processes", "calls", "counts"),)
"""The lab's own measurement."""

BY_MODE = (
    Sizes.section().only("image-size", "depths", "small-batch-size", "bert-tiny"),
    SHARED.only("processes", "rounds"),
)
"""The comparison of modes and caches."""
