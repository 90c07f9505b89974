"""
Measure torch.compile on ResNet-18 and BERT-tiny (questions 1a and 1b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/compilation/{device}.json
"""

RECORDS += expand("<results>/records/compilation/{device}.json", device=DEVICES)
TABLES += [
    "compilation_steady",
    "compilation_iterations",
    "compilation_first_call",
    "compilation_counts",
    "compilation_clocks",
]
FIGURES += expand(
    "compilation_{figure}_{device}",
    figure=["seconds", "accumulated", "steady", "first_call"],
    device=PRESENT,
)


rule measure_compilation:
    message:
        "Timing torch.compile on {wildcards.device}"
    input:
        code=code_of("scripts/measure_compilation.py"),
    output:
        record="<results>/records/compilation/{device}.json",
    params:
        sizes=flags(SIZES["compilation"]),
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_compilation/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_compilation.py \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_compilation:
    message:
        "Recording that torch.compile on {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/compilation/{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_compilation/{device}.log",
    wildcard_constraints:
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment compilation \
            --subject compilation \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
