"""
Examine the number format MXINT8: its codes, its memory, its accuracy, and the partition of its CuTe
kernel (questions 3b, 3c and 3d).

REQUIRED INPUTS:

    manifest = the build of mxint_cuda
    model    = <results>/models/base_model.safetensors
    tokens   = results/data/tokens.parquet

OUTPUTS:

    record = <results>/records/{mxint8_formulas,mxint8_memory}/{device}.json
    record = <results>/records/mxint8_accuracy.json
    record = <results>/records/mxint8_partition.json, of CUDA kernels, but computed on the host
"""

measured_per_device("mxint8_formulas")
measured_per_device("mxint8_memory")
RECORDS.append("<results>/records/mxint8_accuracy.json")
RECORDS.append("<results>/records/mxint8_partition.json")


rule measure_mxint8_formulas:
    message:
        "Decoding every MXINT8 code on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record="<results>/records/mxint8_formulas/{device}.json",
    params:
        code=code_digest("scripts/measure_mxint8_formulas.py"),
        software=locked("measure"),
        build=folder_of_build,
        shared=shared("threads", "seed"),
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
        PYTHONPATH={params.build:q} python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_mxint8_formulas.py \
            --device {wildcards.device:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_memory:
    message:
        "Measuring the memory of MXINT8 models on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record="<results>/records/mxint8_memory/{device}.json",
    params:
        code=code_digest("scripts/measure_mxint8_memory.py"),
        software=locked("measure"),
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["memory"]),
        shared=shared("threads", "seed"),
    log:
        "<logs>/measure_mxint8_memory/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("mxint8"),
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_mxint8_memory.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


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
        code=code_digest("scripts/measure_mxint8_accuracy.py"),
        software=locked("train"),
        build=folder_of_build,
        held_out=SIZES["base-model"]["held-out"],
        group_size=SIZES["mxint8"]["memory"]["group-size"],
        shared=shared("max-length", "seed"),
        device=TRAINING_DEVICE,
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
        PYTHONPATH={params.build:q} python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_mxint8_accuracy.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --held-out {params.held_out:q} \
            --group-size {params.group_size:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_partition:
    message:
        "Recording the partition of the CuTe kernel"
    input:
        manifest=manifest_of_build,
    output:
        record="<results>/records/mxint8_partition.json",
    params:
        code=code_digest("scripts/measure_mxint8_partition.py"),
        software=locked("measure"),
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["partition"]),
        shared=shared("threads"),
    log:
        "<logs>/measure_mxint8_partition.log",
    resources:
        mem_mb=memory_of("mxint8"),
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_mxint8_partition.py \
            --program {params.build:q}/mxint_cuda/cute_partition \
            --device cpu \
            {params.sizes:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
