"""Settings of kernel fusion."""

from labs.setup.kinds import different, exactly, one_of
from labs.setup.quantities import COUNTS, LENGTHS, SIZE
from labs.setup.section import Section, Setting

DTYPES = different(one_of("float32", "bfloat16", "float16"))
SHAPE = exactly(4, SIZE, ": batch, heads, sequence length, head dimension")
LINEAR_SHAPE = exactly(3, SIZE, ": rows and columns of the input, columns of the output")
FUSION = Section(
    "questions 2a and 2b: kernel fusion",
    shape=Setting(SHAPE, "of attention's inputs; the sequence length is in tokens"),
    lengths=Setting(LENGTHS, "sequence lengths of the sweep", "tokens"),
    sweep_batch=Setting(SIZE, "of the sweep; heads and head dimension as in shape", "sequences"),
    dtypes=Setting(DTYPES, "of attention"),
    counts=Setting(COUNTS, "calls whose total times are compared", "calls"),
    linear_shape=Setting(LINEAR_SHAPE, "of linear + ReLU"),
    linear_dtypes=Setting(DTYPES, "of linear + ReLU"),
)
