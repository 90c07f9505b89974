"""Arms, modes and states of the compiler cache in the torch.compile experiment."""

EAGER, COMPILED = "eager", "compiled"

LAB, CORRECTED = "train+grad", "eval+no_grad"
TRAIN_NO_GRAD, EVAL_GRAD = "train+no_grad", "eval+grad"
MODES = (LAB, TRAIN_NO_GRAD, EVAL_GRAD, CORRECTED)
"""The lab's own code leaves out eval() and no_grad()."""

RESNET18 = "resnet18"
SMALL, ONE, BERT_TINY = "resnet18-small", "resnet18-one", "bert-tiny"
"""The lab's model on the lab's batch; on a smaller one; on one image; and another model."""

COLD, WARM = "cold", "warm"

FIRST_CALL = "first calls"

LIBRARY, PROFILED = "library time", "profiled time"
"""Of a call under the profiler: the time in convolutions and matrix products, and the whole."""


def started(cache: str) -> str:
    """Return the state of a cache once the process has compiled something."""
    suffix = ", compiler started"
    return cache if cache.endswith(suffix) else cache + suffix


TABLES = (
    "compilation_iterations",
    "compilation_counts",
    "compilation_first_call",
    "compilation_steady",
    "compilation_clocks",
    "compilation_modes_first_call",
    "compilation_modes_steady",
)
FIGURES_PER_DEVICE = (
    "compilation_accumulated",
    "compilation_steady",
    "compilation_first_call",
)
