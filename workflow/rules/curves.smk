"""
The curves of the compression experiments, by name: each the flags that its program is called with.
"""

COMPRESSION = SIZES["compression"]


def quantization(curve, formats, epochs, rates=[COMPRESSION["learning-rate"]]):
    """The flags of a curve of fixed-point models; formats are (width, fractional bits)."""
    names = [name if name == "float32" else f"{name[0]}:{name[1]}" for name in formats]
    return ["--curve", curve, "--formats", *names, "--epochs", *epochs, "--learning-rates", *rates]


def pruning(method, scope, of, sparsities, epochs):
    """The flags of a curve of pruned models."""
    kinds = ["--method", method, "--scope", scope, "--of", of]
    return [*kinds, "--sparsities", *sparsities, "--epochs", epochs]


WIDTHS = ["float32", *((width, width // 2) for width in COMPRESSION["widths"])]
INTEGER_BITS = {
    training: [(bits + 4, 4) for bits in numbers]
    for training, numbers in COMPRESSION["integer-bits"].items()
}
FRACTIONAL_BITS = {
    training: [(bits + 5, bits) for bits in numbers]
    for training, numbers in COMPRESSION["fractional-bits"].items()
}
# PTQ draws nothing at random: one replicate is all.
PTQ = {
    "widths-ptq": quantization("widths", WIDTHS, [0]),
    "integer-bits-ptq": quantization("integer-bits", INTEGER_BITS["untrained"], [0]),
    "fractional-bits-ptq": quantization("fractional-bits", FRACTIONAL_BITS["untrained"], [0]),
}
QAT = {
    "widths-qat": quantization("widths", WIDTHS, [1]),
    "integer-bits-qat": quantization("integer-bits", INTEGER_BITS["trained"], [1]),
    "fractional-bits-qat": quantization("fractional-bits", FRACTIONAL_BITS["trained"], [1]),
    "epochs": quantization("epochs", [(8, 4)], COMPRESSION["epochs"]),
    "rates": quantization("rates", [(8, 3)], [1], COMPRESSION["learning-rates"]),
}
TRAINED, UNTRAINED = (COMPRESSION["sparsities"][kind] for kind in ("trained", "untrained"))
PRUNED = {
    "l1": pruning("l1", "local", "weights", [0, *TRAINED], 1),
    "random": pruning("random", "local", "weights", TRAINED, 1),
    "l1-global": pruning("l1", "global", "weights", UNTRAINED, 0),
    "l1-stale": pruning("l1", "local", "stale weights", UNTRAINED, 0),
    "l1-activations": pruning("l1", "local", "activations", UNTRAINED, 0),
    "random-activations": pruning("random", "local", "activations", UNTRAINED, 0),
}
REPLICATES = range(COMPRESSION["seeds"])
