"""
Measure torch.compile on ResNet-18 and BERT-tiny (questions 1a and 1b).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/compilation/{model}.{device}.json
"""

MODELS = ["resnet18", "bert-tiny"]

RECORDS += expand(
    "<results>/records/compilation/{model}.{device}.json", model=MODELS, device=DEVICES
)
TABLES += [
    "compilation_steady",
    "compilation_iterations",
    "compilation_first_call",
    "compilation_counts",
]
FIGURES += expand(
    "compilation_{figure}_{device}",
    figure=["seconds", "accumulated", "steady", "first_call"],
    device=PRESENT,
)


rule measure_compilation:
    message:
        "Timing torch.compile on {wildcards.model}, {wildcards.device}"
    input:
        code=code_of("scripts/measure_compilation.py"),
    output:
        record="<results>/records/compilation/{model}.{device}.json",
    params:
        sizes=model_sizes,
        counts=SIZES["compilation"]["counts"],
        processes=SIZES["processes"],
        rounds=SIZES["rounds"],
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_compilation/{model}.{device}.log",
    wildcard_constraints:
        model=one_of(MODELS),
        device=one_of(PRESENT),
    threads: ALONE
    retries: 0
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/measure_compilation.py \
            --model {wildcards.model:q} \
            --device {wildcards.device:q} \
            {params.sizes:q} \
            --counts {params.counts:q} \
            --processes {params.processes:q} \
            --rounds {params.rounds:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule record_absent_compilation:
    message:
        "Recording that torch.compile on {wildcards.model}, {wildcards.device} is not measured"
    input:
        code=code_of("scripts/record_absence.py"),
    output:
        record="<results>/records/compilation/{model}.{device}.json",
    params:
        reason=ABSENCE,
    log:
        "<logs>/record_absent_compilation/{model}.{device}.log",
    wildcard_constraints:
        model=one_of(MODELS),
        device=one_of(ABSENT),
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/record_absence.py \
            --experiment compilation \
            --subject {wildcards.model:q} \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
