"""
Examine the number format MXINT8: its codes, its memory, its accuracy, the partition of its CuTe
kernel, and the speed of linear layers in it and of the kernels that decode it (question 3).

REQUIRED INPUTS:

    manifest = the build of mxint_cuda
    model    = <results>/models/base_model.safetensors
    tokens   = results/data/tokens.parquet

OUTPUTS:

    record = <results>/records/{mxint8_formulas,mxint8_memory}/{device}.json
    record = <results>/records/{mxint8_linear,mxint8_kernels}/{device}.json
    record = <results>/records/mxint8_accuracy.json
    record = <results>/records/mxint8_partition.json, of CUDA kernels, but computed on the host
"""

MXINT8 = SIZES["mxint8"]

measured_per_device("mxint8_formulas")
measured_per_device("mxint8_memory")
RECORDS.append("<results>/records/mxint8_accuracy.json")
RECORDS.append("<results>/records/mxint8_partition.json")
measured_per_device("mxint8_linear")
measured_per_device("mxint8_kernels")


rule measure_mxint8_formulas:
    message:
        "Decoding every MXINT8 code on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record="<results>/records/mxint8_formulas/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_formulas.py"),
        software=locked("measure"),
        build=folder_of_build,
        settings=shared("threads", "seed"),
        own=lambda wildcards: ["--device", wildcards.device],
    log:
        "<logs>/measure_mxint8_formulas/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("mxint8"),
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH="$PYTHONPATH":{params.build:q} python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.own:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule measure_mxint8_formulas as measure_mxint8_memory with:
    message:
        "Measuring the memory of MXINT8 models on {wildcards.device}"
    output:
        record="<results>/records/mxint8_memory/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_memory.py"),
        settings=flags(MXINT8["memory"]) + shared("threads", "seed"),
    log:
        "<logs>/measure_mxint8_memory/{device}.log",


use rule measure_mxint8_formulas as measure_mxint8_linear with:
    message:
        "Timing linear layers in MXINT8 on {wildcards.device}"
    output:
        record="<results>/records/mxint8_linear/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_linear.py"),
        settings=flags(MXINT8["linear"])
        + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_mxint8_linear/{device}.log",
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("mxint8"),
        slurm_extra=EXCLUSIVE,
    retries: 0


use rule measure_mxint8_linear as measure_mxint8_kernels with:
    message:
        "Timing the kernels that decode MXINT8 on {wildcards.device}"
    output:
        record="<results>/records/mxint8_kernels/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_kernels.py"),
        settings=flags(MXINT8["kernels"])
        + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_mxint8_kernels/{device}.log",


rule measure_mxint8_accuracy:
    message:
        "Measuring the accuracy of the base model in MXINT8"
    input:
        manifest=manifest_of_build,
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/records/mxint8_accuracy.json",
    params:
        program=unchanged("scripts/measure_mxint8_accuracy.py"),
        software=locked("train"),
        build=folder_of_build,
        settings=flags(SIZES["base-model"], "held-out")
        + flags(MXINT8["memory"], "group-size")
        + shared("max-length", "seed", "device"),
    log:
        "<logs>/measure_mxint8_accuracy.log",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("mxint8"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        PYTHONPATH="$PYTHONPATH":{params.build:q} python scripts/run_unchanged.py {log:q} {params.program:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule measure_mxint8_formulas as measure_mxint8_partition with:
    message:
        "Recording the partition of the CuTe kernel"
    output:
        record="<results>/records/mxint8_partition.json",
    params:
        program=unchanged("scripts/measure_mxint8_partition.py"),
        settings=flags(MXINT8["partition"]) + shared("threads"),
        own=lambda wildcards, input: [
            *("--device", "cpu"),
            *("--program", f"{folder_of_build(wildcards, input)}/mxint_cuda/cute_partition"),
        ],
    log:
        "<logs>/measure_mxint8_partition.log",
    resources:
        gpu=0,
        mem_mb=memory_of("mxint8"),
