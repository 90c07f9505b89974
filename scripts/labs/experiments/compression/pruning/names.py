"""The curves of pruned models: what is pruned, and how it is ranked."""

ARM = "pruned"

MASK = "mask"
"""The number of a random mask, in the cases of those after the first."""

L1, RANDOM = "l1", "random"
L1_GLOBAL, L1_STALE = "l1-global", "l1-stale"
L1_ACTIVATIONS, RANDOM_ACTIVATIONS = "l1-activations", "random-activations"
L1_BOTH, RANDOM_BOTH = "l1-both", "random-both"
CURVES = (
    *(L1, RANDOM, L1_GLOBAL, L1_STALE),
    *(L1_ACTIVATIONS, RANDOM_ACTIVATIONS, L1_BOTH, RANDOM_BOTH),
)
