"""
The curves of the compression experiments, by name: each the flags that its program is called with.
"""

from labs.records.names import pruning
from labs.records.names.quantization import ADVISED, ADVISED_FORMAT
from labs.records.names.quantization import FLOAT32, FRACTION, INTEGERS, fixed_point


def curve_flags(curve, formats, epochs, rates=[COMPRESSION["learning-rate"]]):
    """The flags of quantize_model.py for a curve."""
    return flags({"curve": curve, "formats": formats, "epochs": epochs, "learning-rates": rates})


def formats_of(training):
    """The formats of the three curves over formats; `training` is "trained" or "untrained"."""
    integers, fractions = (
        COMPRESSION[bits][training] for bits in ("integer-bits", "fractional-bits")
    )
    return {
        "widths": [FLOAT32, *(fixed_point(width, width // 2) for width in COMPRESSION["widths"])],
        "integer-bits": [fixed_point(bits + FRACTION, FRACTION) for bits in integers],
        "fractional-bits": [fixed_point(bits + INTEGERS, bits) for bits in fractions],
    }


PTQ = {
    f"{curve}-ptq": curve_flags(curve, formats, [0])
    for curve, formats in formats_of("untrained").items()
}
QAT = {
    f"{curve}-qat": curve_flags(curve, formats, [1])
    for curve, formats in formats_of("trained").items()
} | {
    "epochs": curve_flags("epochs", [fixed_point(8, 4)], COMPRESSION["epochs"]),
    "rates": curve_flags("rates", [fixed_point(8, 3)], [1], COMPRESSION["learning-rates"]),
    ADVISED: curve_flags(ADVISED, [ADVISED_FORMAT], [0, 1]),
}
# The flags of all curves whose models are fine-tuned.
FINE_TUNED = flags(COMPRESSION, "reviews", "held-out") + shared("max-length", "seed", "device")
# The curve that keeps its chosen model, which is then pruned.
KEPT = "widths-qat"

TRAINED, UNTRAINED = (COMPRESSION["sparsities"][kind] for kind in ("trained", "untrained"))
# Pruning activations by L1 is slow: of both together, only the sparsities that claims are about.
OF_BOTH = [sparsity for sparsity in UNTRAINED if sparsity in (0.5, 0.9)]
# The sparsities of curves whose models are trained after pruning, for one epoch, and of the others.
AFTERWARDS = {pruning.L1: [0, *TRAINED], pruning.RANDOM: TRAINED}
AT_ONCE = dict.fromkeys(pruning.CURVES, UNTRAINED) | dict.fromkeys(
    (pruning.L1_BOTH, pruning.RANDOM_BOTH), OF_BOTH
)
PRUNED = {
    curve: flags({"curve": curve, "sparsities": sparsities, "epochs": int(curve in AFTERWARDS)})
    for curve, sparsities in (AT_ONCE | AFTERWARDS).items()
}
