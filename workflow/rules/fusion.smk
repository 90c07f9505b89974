"""
Measure kernel fusion: attention, and linear + ReLU (questions 2a and 2b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/fusion/{device}.json
"""

RECORDS += expand("<results>/records/fusion/{device}.json", device=DEVICES)
TABLES += [
    "attention_time",
    "attention_sweep",
    "attention_profile",
    "attention_blocks",
    "attention_checks",
    "linear_relu_time",
    "fusion_clocks",
]
FIGURES += expand(
    "{figure}_{device}",
    figure=[
        "attention_time",
        "attention_profile",
        "attention_sweep",
        "attention_memory",
        "linear_relu_time",
    ],
    device=PRESENT,
)


rule measure_fusion:
    message:
        "Timing kernel fusion, {wildcards.device}"
    input:
        code=code_of("scripts/measure_fusion.py"),
    output:
        record="<results>/records/fusion/{device}.json",
    params:
        sizes=flags(SIZES["fusion"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_fusion/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_fusion.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_fusion:
    message:
        "Recording that kernel fusion, {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/fusion/{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_fusion/{device}.log",
    wildcard_constraints:
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment fusion \
            --subject fusion \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
