"""Settings of the number format MXINT8."""

from dataclasses import dataclass

from labs.experiments.base_model import sizes as base_model
from labs.setup.kinds import different, list_of, one_of, whole
from labs.setup.quantities import LENGTHS, SIZE, Experiment
from labs.setup.section import Settings, setting, subsection
from labs.setup.shared import READING, TIMING

LAYER = list_of(2, SIZE, ": columns of the input, columns of the output")
MODELS = different(one_of("deberta-v3-small", "deberta-xlarge"))


@dataclass(frozen=True)
class Linear(Settings):
    """Question 3a: a linear layer in four number formats."""

    path = "mxint8.linear"

    shape: list[int] = setting(LAYER, "of the layer")
    batches: list[int] = setting(LENGTHS, "rows of the input", "rows")
    group_size: int = setting(SIZE, "inputs that share a scale", "inputs")


@dataclass(frozen=True)
class Memory(Settings):
    """Question 3d: the memory of the lab's models."""

    path = "mxint8.memory"

    models: list[str] = setting(MODELS, "deberta-xlarge takes 3 GB")
    group_size: int = setting(SIZE, "weights that share a scale", "weights")


@dataclass(frozen=True)
class Partition(Settings):
    """Question 3c: how CuTe shares a tensor out."""

    path = "mxint8.partition"

    group_sizes: list[int] = setting(LENGTHS, "elements that share a scale", "elements")
    elements: int = setting(whole(1, 10**7), "of the tensor whose memory transactions are counted")


@dataclass(frozen=True)
class Kernels(Settings):
    """Question 3c: the speed of decoding."""

    path = "mxint8.kernels"

    elements: int = setting(whole(1, 2**34), "of the tensor")
    group_sizes: list[int] = setting(LENGTHS, "elements that share a scale", "elements")


@dataclass(frozen=True)
class Sizes(Experiment):
    """Question 3: the number format MXINT8."""

    path = "mxint8"

    linear: Linear = subsection(Linear)
    memory: Memory = subsection(Memory)
    partition: Partition = subsection(Partition)
    kernels: Kernels = subsection(Kernels)


LINEAR = (Linear.section(), TIMING)
KERNELS = (Kernels.section(), TIMING)
MEMORY = (Memory.section(),)
PARTITION = (Partition.section(),)
ACCURACY = (
    base_model.Sizes.section().only("held-out"),
    Memory.section().only("group-size"),
    READING,
)
