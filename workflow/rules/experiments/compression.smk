"""
Measure the base model's ranges, quantize it to every number format, and time compressed models
(questions 1.1, 1.1b and 1.2).

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base_model.safetensors

OUTPUTS:

    record = <results>/records/{ranges,formats,compression_speed}.json
"""

RECORDS.append("<results>/records/ranges.json")
RECORDS.append("<results>/records/formats.json")
RECORDS.append("<results>/records/compression_speed.json")


rule measure_ranges:
    message:
        "Measuring the ranges of weights, biases and activations"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/records/ranges.json",
    params:
        code=code_digest("scripts/measure_ranges.py"),
        software=locked("train"),
        held_out=COMPRESSION["held-out"],
        shared=shared("max-length", "seed"),
        device=TRAINING_DEVICE,
    log:
        "<logs>/measure_ranges.log",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("compression"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_ranges.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --held-out {params.held_out:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule compare_formats:
    message:
        "Quantizing the base model to every number format"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/records/formats.json",
    params:
        code=code_digest("scripts/compare_formats.py"),
        software=locked("train"),
        held_out=COMPRESSION["held-out"],
        shared=shared("max-length", "seed"),
        device=TRAINING_DEVICE,
    log:
        "<logs>/compare_formats.log",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("compression"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/compare_formats.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --held-out {params.held_out:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_compression_speed:
    message:
        "Timing compressed models on {TRAINING_DEVICE}"
    output:
        record="<results>/records/compression_speed.json",
    params:
        code=code_digest("scripts/measure_compression_speed.py"),
        software=locked("train"),
        sizes=flags(COMPRESSION["speed"]),
        shared=shared("processes", "budget", "rounds", "threads", "seed"),
        device=TRAINING_DEVICE,
    log:
        "<logs>/measure_compression_speed.log",
    threads: ALONE
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("compression"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_compression_speed.py \
            {params.sizes:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
