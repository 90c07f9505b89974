"""
Answer question 3 of Lab 4: the number format MXINT8, in hardware, in code and in memory.

REQUIRED INPUTS:

    manifest = the build of mxint_cuda
    model    = <results>/models/base/bert-tiny.safetensors
    tokens   = results/data/tokens.parquet

OUTPUTS:

    formulas  = <results>/records/mxint8_formulas/{device}.json
    linear    = <results>/records/mxint8_linear/{device}.json
    memory    = <results>/records/mxint8_memory/{device}.json
    kernels   = <results>/records/mxint8_kernels/{device}.json
    accuracy  = <results>/records/mxint8_accuracy/bert-tiny.json
    partition = <results>/records/mxint8_partition/cpu.json, of a CUDA kernel, computed on the host
"""

MXINT8 = ["mxint8_formulas", "mxint8_linear", "mxint8_memory", "mxint8_kernels"]
PARTITION = "<results>/records/mxint8_partition/cpu.json"

RECORDS += expand("<results>/records/{experiment}/{device}.json", experiment=MXINT8, device=DEVICES)
RECORDS += [PARTITION, "<results>/records/mxint8_accuracy/bert-tiny.json"]
TABLES += [
    "mxint8_formulas_decoded",
    "mxint8_formulas_twins",
    "mxint8_formulas_wrong",
    "mxint8_formulas_causes",
    "mxint8_linear_time",
    "mxint8_linear_counts",
    "mxint8_linear_energy",
    "mxint8_linear_clocks",
    "mxint8_memory_account",
    "mxint8_memory_waterfall",
    "mxint8_accuracy",
    "mxint8_kernels_rates",
    "mxint8_kernels_clocks",
    "mxint8_partition_owners",
    "mxint8_partition_tiles",
    "mxint8_partition_transactions",
]
FIGURES += expand(
    "mxint8_{figure}_{device}",
    figure=["decoded", "twins", "wrong", "linear_time", "linear_costs", "account", "waterfall"],
    device=PRESENT,
)
FIGURES += ["mxint8_partition_tiles", "mxint8_partition_threads", "mxint8_partition_transactions"]


rule measure_mxint8_formulas:
    message:
        "Decoding every pair of MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_formulas.py"),
    output:
        record="<results>/records/mxint8_formulas/{device}.json",
    params:
        build=folder_of_build,
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_mxint8_formulas/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/measure_mxint8_formulas.py \
            --device {wildcards.device:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_linear:
    message:
        "Timing linear layers in MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_linear.py"),
    output:
        record="<results>/records/mxint8_linear/{device}.json",
    params:
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["linear"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_mxint8_linear/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/measure_mxint8_linear.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_memory:
    message:
        "Accounting for the memory of MXINT8 models on {wildcards.device}"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_memory.py"),
    output:
        record="<results>/records/mxint8_memory/{device}.json",
    params:
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["memory"]),
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_mxint8_memory/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/measure_mxint8_memory.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_accuracy:
    message:
        "Measuring the accuracy of the base model in MXINT8"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_accuracy.py"),
        model=BASE,
        tokens=TOKENS,
    output:
        record="<results>/records/mxint8_accuracy/bert-tiny.json",
    params:
        build=folder_of_build,
        max_length=SIZES["max-length"],
        held_out=SIZES["base"]["held-out"],
        group_size=SIZES["mxint8"]["memory"]["group-size"],
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/measure_mxint8_accuracy.log",
    threads: TRAINING_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/measure_mxint8_accuracy.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            --held-out {params.held_out:q} \
            --group-size {params.group_size:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_kernels:
    message:
        "Timing the kernels that decode MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_kernels.py"),
    output:
        record="<results>/records/mxint8_kernels/{device}.json",
    params:
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["kernels"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_mxint8_kernels/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/measure_mxint8_kernels.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_mxint8_partition:
    message:
        "Printing the partition of the CuTe kernel"
    input:
        manifest=manifest_of_build,
        code=code_of("scripts/measure_mxint8_partition.py"),
    output:
        record=PARTITION,
    params:
        build=folder_of_build,
        sizes=flags(SIZES["mxint8"]["partition"]),
        threads=config["threads"],
    log:
        "<logs>/measure_mxint8_partition.log",
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_mxint8_partition.py \
            --program {params.build:q}/mxint_cuda/cute_partition \
            --device cpu \
            {params.sizes:q} \
            --threads {params.threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_mxint8:
    message:
        "Recording that {wildcards.experiment} on {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/{experiment}/{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_{experiment}/{device}.log",
    wildcard_constraints:
        experiment=one_of(MXINT8),
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment {wildcards.experiment:q} \
            --subject {wildcards.experiment:q} \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
