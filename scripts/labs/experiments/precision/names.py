"""The words of the mixed-precision searches: their questions, studies, reviews and facts."""

from collections.abc import Mapping, Sequence

from labs.formats.names import fixed_point

Allocation = Mapping[str, str]
"""The format of each linear layer, by name; configurations.py says how formats are spelled."""

PAIRS, EACH, ALL, COST, UNIFORM = "pairs", "formats", "all", "cost", "uniform"
PARTS = (PAIRS, EACH, ALL, COST, UNIFORM)
"""One for each question of Lab 3, and the models whose layers are all alike."""

QUANTIZED, TRAINED = "quantized", "trained"
PAIRS_QUANTIZED, PAIRS_TRAINED = f"{PAIRS}, {QUANTIZED}", f"{PAIRS}, {TRAINED}"
ALL_QUANTIZED = f"{ALL}, {QUANTIZED}"
"""Studies without float32 among the choices, and one that trains every trial."""

WIDTHS, FRACTIONS = (8, 16, 32), (2, 4, 8)
"""The lab's widths and fractional widths of question 3.1, in bits."""

LAB_PAIRS = tuple(f"integer {fixed_point(w, f)}" for w in WIDTHS for f in FRACTIONS)

COST_FORMAT = "block_fp"
"""The format of question 3.2c: the one that needs the fewest bits, as question 3.2 measures it."""

TRIALS, VALIDATION, TEST, TRAINING = "trials", "validation", "test", "training"
"""The reviews that a model is judged on; those of trials are a part of the validation split."""

LINEARS, EVERYTHING = "linears", "mxint8, embeddings too"
"""What is in MXINT8 where the model's bytes are counted."""

WITHOUT_SCALE, ON_INPUTS = "labs' binary_scaling", "labs' residual_sign"
"""Layers as the labs' framework builds them."""

DIRECT, GRADIENT, SAME = "direct", "gradient", "same width"
"""Ways to share bits out without a search; the last gives all layers the same."""


def formats_of(text: str) -> Sequence[str]:
    """Return the formats of a text that holds several: "log; block_fp 4"."""
    return text.split("; ")


def family(spelled: str) -> str:
    """Return a format without its width."""
    return spelled.split(" ")[0]


TABLES = (
    "precision_volumes",
    "precision_fronts",
    "precision_shared",
    "precision_scores",
    "precision_trials",
    "precision_winners",
    "precision_layers",
    "precision_widths",
    "precision_pairs",
    "precision_rates",
)
FIGURES = (
    "precision_pairs",
    "precision_formats",
    "precision_widths",
    "precision_all",
    "precision_layers",
    "precision_fronts",
    "precision_cost",
    "precision_scores",
)
