"""
Measure a linear layer with ReLU, eager and compiled: the fusion that Lab 4 explains with.

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/linear_relu/{device}.json
"""


rule measure_linear_relu:
    message:
        "Timing linear + ReLU, {wildcards.device}"
    input:
        code=code_of("scripts/measure_linear_relu.py"),
    output:
        record="<results>/records/linear_relu/{device}.json",
    params:
        sizes=flags(SIZES["linear_relu"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_linear_relu/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_linear_relu.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_linear_relu:
    message:
        "Recording that linear + ReLU, {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/linear_relu/{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_linear_relu/{device}.log",
    wildcard_constraints:
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment linear_relu \
            --subject linear_relu \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
