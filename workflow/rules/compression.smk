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


include: "curves.smk"


# Two trainings of one thread each get further than one of two.
COMPRESSION_THREADS = 1

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
    "compression_speed_steps",
    "compression_speed_inference",
]
FIGURES += [
    "quantization_widths",
    "quantization_bits",
    "quantization_epochs",
    "ranges",
    "pruning",
    "pruning_kinds",
    "compression_speed_inference",
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
        schema="workflow/schemas/record.schema.yaml",
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
        schema="workflow/schemas/record.schema.yaml",
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
        schema="workflow/schemas/record.schema.yaml",
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
