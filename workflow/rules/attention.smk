"""
Measure naive, compiled and fused scaled dot-product attention (questions 2a and 2b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/attention/{device}.json
"""


rule measure_attention:
    message:
        "Timing attention, {wildcards.device}"
    input:
        code=code_of("scripts/measure_attention.py"),
    output:
        record="<results>/records/attention/{device}.json",
    params:
        sizes=flags(SIZES["attention"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_attention/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_attention.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_attention:
    message:
        "Recording that attention, {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/attention/{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_attention/{device}.log",
    wildcard_constraints:
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment attention \
            --subject attention \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
