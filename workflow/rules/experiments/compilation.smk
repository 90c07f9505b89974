"""
Measure torch.compile on ResNet-18 and BERT-tiny (questions 1a and 1b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/compilation/{device}.json, the lab's own loop
    record = <results>/records/compilation_modes/{device}.json, other modes, sizes and caches
"""

COMPILATION = SIZES["compilation"]

measured_per_device("compilation")
measured_per_device("compilation_modes")


rule measure_compilation:
    message:
        "Timing torch.compile on {wildcards.device}, as the lab does"
    output:
        record="<results>/records/compilation/{device}.json",
    params:
        code=code_digest("scripts/measure_compilation.py"),
        software=locked("measure"),
        sizes=flags(
            some(COMPILATION, "batch-size", "image-size", "depths", "processes", "calls", "counts")
        ),
        shared=shared("threads", "seed"),
    log:
        "<logs>/measure_compilation/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("compilation"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_compilation.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_compilation_modes:
    message:
        "Timing torch.compile on {wildcards.device}, by mode and size"
    output:
        record="<results>/records/compilation_modes/{device}.json",
    params:
        code=code_digest("scripts/measure_compilation_modes.py"),
        software=locked("measure"),
        sizes=flags(some(COMPILATION, "image-size", "depths", "small-batch-size", "bert-tiny")),
        shared=shared("processes", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_compilation_modes/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("compilation"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_compilation_modes.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
