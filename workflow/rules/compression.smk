"""
Quantize and prune the base model (questions 1.1 and 1.2): every curve of every seed is a job.

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base/bert-tiny.safetensors

OUTPUTS:

    models  = <results>/models/quantized/{replicate}.safetensors
    parts   = <results>/parts/{quantization,pruning}/{curve}.{replicate}.json
    records = <results>/records/{quantization,pruning,ranges,formats,compression_speed}.json
"""

COMPRESSION = SIZES["compression"]
# Two jobs of one thread each get further than one job of two.
COMPRESSION_THREADS = 1
REPLICATES = range(COMPRESSION["seeds"])

# Fixed-point formats, as width:fractional bits.
WIDTHS = ["float32", *(f"{width}:{width // 2}" for width in COMPRESSION["widths"])]
INTEGER_BITS, FRACTIONAL_BITS = (
    {
        kind: [f"{n + 4}:4" if sweep == "integer-bits" else f"{5 + n}:{n}" for n in numbers]
        for kind, numbers in COMPRESSION[sweep].items()
    }
    for sweep in ("integer-bits", "fractional-bits")
)


def quantization(curve, formats, epochs, rates=[COMPRESSION["learning-rate"]]):
    """The arguments of a curve of quantized models, as flags."""
    return ["--curve", curve, "--formats", *formats, "--epochs", *epochs, "--learning-rates", *rates]


def pruning(method, scope, of, sparsities, epochs):
    """The arguments of a curve of pruned models, as flags."""
    kinds = ["--method", method, "--scope", scope, "--of", of]
    return [*kinds, "--sparsities", *COMPRESSION["sparsities"][sparsities], "--epochs", epochs]


# PTQ draws nothing at random: one replicate is all.
PTQ = {
    "widths-ptq": quantization("widths", WIDTHS, [0]),
    "integer-bits-ptq": quantization("integer bits", INTEGER_BITS["ptq"], [0]),
    "fractional-bits-ptq": quantization("fractional bits", FRACTIONAL_BITS["ptq"], [0]),
}
QAT = {
    "widths-qat": quantization("widths", WIDTHS, [1]),
    "integer-bits-qat": quantization("integer bits", INTEGER_BITS["qat"], [1]),
    "fractional-bits-qat": quantization("fractional bits", FRACTIONAL_BITS["qat"], [1]),
    "epochs": quantization("epochs", ["8:4"], COMPRESSION["epochs"]),
    "rates": quantization("rates", ["8:3"], [1], COMPRESSION["learning-rates"]),
}
PRUNING = {
    "l1": pruning("l1", "local", "weights", "trained", 1),
    "random": pruning("random", "local", "weights", "trained", 1),
    "l1-global": pruning("l1", "global", "weights", "untrained", 0),
    "l1-stale": pruning("l1", "local", "stale weights", "untrained", 0),
    "l1-activations": pruning("l1", "local", "activations", "untrained", 0),
    "random-activations": pruning("random", "local", "activations", "untrained", 0),
}
