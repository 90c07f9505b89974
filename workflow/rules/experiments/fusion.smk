"""
Measure kernel fusion: attention, and linear + ReLU (questions 2a and 2b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/fusion/{device}.json
"""

measured_per_device("fusion")


rule measure_fusion:
    message:
        "Timing kernel fusion on {wildcards.device}"
    output:
        record="<results>/records/fusion/{device}.json",
    params:
        program=unchanged("scripts/measure_fusion.py"),
        software=locked("measure"),
        settings=flags(SIZES["fusion"]) + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_fusion/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("fusion"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --device {wildcards.device:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
