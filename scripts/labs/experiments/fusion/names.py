"""The tables and figures of kernel fusion."""

TABLES = (
    "fusion_clocks",
    "attention_time",
    "attention_sweep",
    "attention_profile",
    "attention_blocks",
    "attention_checks",
    "linear_relu_time",
)
FIGURES_PER_DEVICE = (
    "attention_time",
    "attention_profile",
    "attention_sweep",
    "attention_memory",
    "linear_relu_time",
)
