"""Settings of the number format MXINT8."""

from labs.setup.kinds import different, exactly, one_of, whole
from labs.setup.quantities import LENGTHS, SIZE
from labs.setup.section import Section, Setting

LAYER = exactly(2, SIZE, ": columns of the input, columns of the output")
MODELS = different(one_of("deberta-v3-small", "deberta-xlarge"))
LINEAR = Section(
    "question 3a: a linear layer in four number formats",
    shape=Setting(LAYER, "of the layer"),
    batches=Setting(LENGTHS, "rows of the input", "rows"),
    group_size=Setting(SIZE, "inputs that share a scale", "inputs"),
)
MEMORY = Section(
    "question 3d: the memory of the lab's models",
    models=Setting(MODELS, "deberta-xlarge takes 3 GB"),
    group_size=Setting(SIZE, "weights that share a scale", "weights"),
)
PARTITION = Section(
    "question 3c: how CuTe shares a tensor out",
    group_sizes=Setting(LENGTHS, "elements that share a scale", "elements"),
    elements=Setting(whole(1, 10**7), "of the tensor whose memory transactions are counted"),
)
KERNELS = Section(
    "question 3c: the speed of decoding",
    elements=Setting(whole(1, 2**34), "of the tensor"),
    group_sizes=Setting(LENGTHS, "elements that share a scale", "elements"),
)
MXINT8 = Section(
    "question 3: the number format MXINT8",
    linear=LINEAR,
    memory=MEMORY,
    partition=PARTITION,
    kernels=KERNELS,
)
