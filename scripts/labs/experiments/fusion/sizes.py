"""Settings of kernel fusion."""

from dataclasses import dataclass

from labs.setup.kinds import different, list_of, one_of
from labs.setup.quantities import COUNTS, LENGTHS, SIZE, Experiment
from labs.setup.section import Settings, setting
from labs.setup.shared import TIMING

DTYPES = different(one_of("float32", "bfloat16", "float16"))
SHAPE = list_of(4, SIZE, ": batch, heads, sequence length, head dimension")
LINEAR_SHAPE = list_of(3, SIZE, ": rows and columns of the input, columns of the output")


@dataclass(frozen=True)
class AttentionSizes(Settings):
    """The sizes of attention."""

    shape: list[int] = setting(SHAPE, "of attention's inputs; the sequence length is in tokens")
    lengths: list[int] = setting(LENGTHS, "sequence lengths of the sweep", "tokens")
    sweep_batch: int = setting(
        SIZE, "of the sweep; heads and head dimension as in shape", "sequences"
    )
    dtypes: list[str] = setting(DTYPES, "of attention")
    counts: list[int] = setting(COUNTS, "calls whose total times are compared", "calls")


@dataclass(frozen=True)
class Sizes(AttentionSizes, Experiment):
    """Questions 2a and 2b: kernel fusion."""

    path = "fusion"

    linear_shape: list[int] = setting(LINEAR_SHAPE, "of linear + ReLU")
    linear_dtypes: list[str] = setting(DTYPES, "of linear + ReLU")


SETTINGS = (Sizes.section().without("job-memory"), TIMING)
