"""
Quantize and prune the base model (questions 1.1 and 1.2). Every curve of every seed is a job, whose
record is a part of its experiment's.

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base/bert-tiny.safetensors

OUTPUTS:

    model  = <results>/models/quantized/{replicate}.safetensors
    part   = <results>/parts/{quantization,pruning}/{curve}.{replicate}.json
    record = <results>/records/{quantization,pruning,ranges,formats,compression_speed}.json
"""

COMPRESSION = SIZES["compression"]
# Two trainings of one thread each get further than one of two.
COMPRESSION_THREADS = 1


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
    "integer-bits-ptq": quantization("integer bits", INTEGER_BITS["untrained"], [0]),
    "fractional-bits-ptq": quantization("fractional bits", FRACTIONAL_BITS["untrained"], [0]),
}
QAT = {
    "widths-qat": quantization("widths", WIDTHS, [1]),
    "integer-bits-qat": quantization("integer bits", INTEGER_BITS["trained"], [1]),
    "fractional-bits-qat": quantization("fractional bits", FRACTIONAL_BITS["trained"], [1]),
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

RECORDS += expand(
    "<results>/records/{experiment}.json",
    experiment=["quantization", "pruning", "ranges", "formats", "compression_speed"],
)
TABLES += [
    "quantization_points",
    "quantization_seeds",
    "quantization_chosen",
    "pruning_points",
    "pruning_seeds",
    "pruning_chosen",
    "ranges_quantiles",
    "ranges_bits",
    "formats",
    "compression_steps",
    "compression_inference",
]
FIGURES += [
    "quantization_widths",
    "quantization_bits",
    "quantization_epochs",
    "ranges",
    "pruning",
    "pruning_kinds",
    "compression_inference",
]


rule quantize_model:
    message:
        "Quantizing the base model: {wildcards.curve}, replicate {wildcards.replicate}"
    input:
        code=code_of("scripts/quantize_model.py"),
        model=BASE,
        tokens=TOKENS,
    output:
        record="<results>/parts/quantization/{curve}.{replicate}.json",
    params:
        curve=lambda wildcards: (PTQ | QAT)[wildcards.curve],
        keep=[],
        max_length=SIZES["max-length"],
        reviews=COMPRESSION["reviews"],
        held_out=COMPRESSION["held-out"],
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/quantize_model/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=one_of([curve for curve in PTQ | QAT if curve != "widths-qat"]),
        replicate=r"\d+",
    threads: COMPRESSION_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/quantize_model.py \
            {params.curve:q} \
            {params.keep:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            --reviews {params.reviews:q} \
            --held-out {params.held_out:q} \
            --replicate {wildcards.replicate:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


# The curve of widths also keeps the model that it chooses: the one that is pruned.
use rule quantize_model as quantize_widths with:
    output:
        record="<results>/parts/quantization/{curve}.{replicate}.json",
        model="<results>/models/quantized/{curve}.{replicate}.safetensors",
    params:
        keep=lambda wildcards, output: ["--keep", output.model],
    log:
        "<logs>/quantize_widths/{curve}.{replicate}.log",
    wildcard_constraints:
        curve="widths-qat",
        replicate=r"\d+",


rule prune_model:
    message:
        "Pruning the quantized model: {wildcards.curve}, replicate {wildcards.replicate}"
    input:
        code=code_of("scripts/prune_model.py"),
        model=BASE,
        quantized="<results>/models/quantized/widths-qat.{replicate}.safetensors",
        chosen="<results>/parts/quantization/widths-qat.{replicate}.json",
        tokens=TOKENS,
    output:
        record="<results>/parts/pruning/{curve}.{replicate}.json",
    params:
        curve=lambda wildcards: PRUNED[wildcards.curve],
        learning_rate=COMPRESSION["learning-rate"],
        max_length=SIZES["max-length"],
        reviews=COMPRESSION["reviews"],
        held_out=COMPRESSION["held-out"],
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/prune_model/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=one_of(PRUNED),
        replicate=r"\d+",
    threads: COMPRESSION_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/prune_model.py \
            {params.curve:q} \
            --learning-rate {params.learning_rate:q} \
            --quantized {input.quantized:q} \
            --chosen {input.chosen:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            --reviews {params.reviews:q} \
            --held-out {params.held_out:q} \
            --replicate {wildcards.replicate:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule gather_quantization:
    message:
        "Gathering the curves of quantized models"
    input:
        code=code_of("scripts/gather_records.py"),
        parts=[
            *expand("<results>/parts/quantization/{curve}.0.json", curve=PTQ),
            *expand(
                "<results>/parts/quantization/{curve}.{replicate}.json",
                curve=QAT,
                replicate=REPLICATES,
            ),
        ],
    output:
        record="<results>/records/quantization.json",
    log:
        "<logs>/gather_quantization.log",
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/gather_records.py \
            --parts {input.parts:q} \
            --subject bert-tiny \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule gather_pruning:
    message:
        "Gathering the curves of pruned models"
    input:
        code=code_of("scripts/gather_records.py"),
        parts=expand(
            "<results>/parts/pruning/{curve}.{replicate}.json",
            curve=PRUNED,
            replicate=REPLICATES,
        ),
    output:
        record="<results>/records/pruning.json",
    log:
        "<logs>/gather_pruning.log",
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/gather_records.py \
            --parts {input.parts:q} \
            --subject bert-tiny \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_ranges:
    message:
        "Finding the ranges of weights, biases and activations"
    input:
        code=code_of("scripts/measure_ranges.py"),
        model=BASE,
        tokens=TOKENS,
    output:
        record="<results>/records/ranges.json",
    params:
        max_length=SIZES["max-length"],
        held_out=COMPRESSION["held-out"],
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/measure_ranges.log",
    threads: COMPRESSION_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/measure_ranges.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            --held-out {params.held_out:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule compare_formats:
    message:
        "Quantizing the base model to every number format"
    input:
        code=code_of("scripts/compare_formats.py"),
        model=BASE,
        tokens=TOKENS,
    output:
        record="<results>/records/formats.json",
    params:
        max_length=SIZES["max-length"],
        held_out=COMPRESSION["held-out"],
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/compare_formats.log",
    threads: COMPRESSION_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/compare_formats.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            --held-out {params.held_out:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_compression:
    message:
        "Timing compressed models, {TRAINING_DEVICE}"
    input:
        code=code_of("scripts/measure_compression.py"),
    output:
        record="<results>/records/compression_speed.json",
    params:
        sizes=flags(COMPRESSION["speed"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        device=TRAINING_DEVICE,
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_compression.log",
    threads: ALONE
    retries: 0
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/measure_compression.py \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --device {params.device:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
