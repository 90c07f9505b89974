"""The tables and figures of compression."""

TABLES = (
    "formats_points",
    "pruning_points",
    "pruning_seeds",
    "pruning_chosen",
    "pruning_rates",
    "quantization_points",
    "quantization_seeds",
    "quantization_widths",
    "quantization_chosen",
    "quantization_rates",
    "ranges_quantiles",
    "ranges_bits",
    "compression_speed_steps",
    "compression_speed_inference",
)
FIGURES = (
    "pruning_methods",
    "pruning_kinds",
    "quantization_widths",
    "quantization_bits",
    "quantization_epochs",
    "ranges",
    "compression_speed_inference",
)
