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
        program=unchanged("scripts/measure_ranges.py"),
        software=locked("train"),
        settings=flags(COMPRESSION, "held-out") + shared("max-length", "seed", "device"),
        # What only some of the rules on the base model give their program.
        own=[],
        studies=STUDIES,
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
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.own:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --studies {params.studies:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule measure_ranges as compare_formats with:
    message:
        "Quantizing the base model to every number format"
    output:
        record="<results>/records/formats.json",
    params:
        program=unchanged("scripts/compare_formats.py"),
    log:
        "<logs>/compare_formats.log",


rule measure_compression_speed:
    message:
        "Timing compressed models on {TRAINING_DEVICE}"
    output:
        record="<results>/records/compression_speed.json",
    params:
        program=unchanged("scripts/measure_compression_speed.py"),
        software=locked("train"),
        settings=flags(COMPRESSION["speed"])
        + shared("processes", "budget", "rounds", "threads", "seed", "device"),
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
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
