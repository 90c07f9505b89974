"""The curves of pruned models: what is pruned, and how it is ranked."""

ARM = "pruned"

L1, RANDOM = "l1", "random"
L1_GLOBAL, L1_STALE = "l1-global", "l1-stale"
L1_ACTIVATIONS, RANDOM_ACTIVATIONS = "l1-activations", "random-activations"
L1_BOTH, RANDOM_BOTH = "l1-both", "random-both"
CURVES = {
    L1: "L1, by layer",
    RANDOM: "random",
    L1_GLOBAL: "L1, over all layers",
    L1_STALE: "L1, stale masks (MASE)",
    L1_ACTIVATIONS: "L1, activations",
    RANDOM_ACTIVATIONS: "random, activations",
    L1_BOTH: "L1, weights and activations",
    RANDOM_BOTH: "random, weights and activations",
}
"""In the order of tables and figures, with their labels."""
