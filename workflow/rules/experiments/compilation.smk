"""
Measure torch.compile on ResNet-18 and BERT-tiny (questions 1a and 1b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/compilation/{device}.json
"""

measured_per_device("compilation")


rule measure_compilation:
    message:
        "Timing torch.compile on {wildcards.device}"
    output:
        record="<results>/records/compilation/{device}.json",
    params:
        code=code_digest("scripts/measure_compilation.py"),
        software=locked("measure"),
        sizes=flags(SIZES["compilation"]),
        shared=shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_compilation/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} scripts/measure_compilation.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
