"""
Complete the records: record which experiments were not measured, and gather records from parts.

REQUIRED INPUTS:

    parts = <results>/parts/{experiment}/*.json

OUTPUTS:

    record = <results>/records/{experiment}/{device}.json, for absent devices
    record = <results>/records/{experiment}.json, for experiments in parts
"""


rule record_absence:
    message:
        "Recording that {wildcards.experiment} on {wildcards.device} is not measured"
    output:
        record="<results>/records/{experiment}/{device}.json",
    params:
        program=unchanged("scripts/record_absence.py"),
        software=locked("measure"),
        reason=WHY_NOT_MEASURED,
    log:
        "<logs>/record_absence/{experiment}.{device}.log",
    wildcard_constraints:
        experiment=alternatives(PER_DEVICE),
        device=alternatives(NOT_MEASURED_ON),
    localrule: True
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --experiment {wildcards.experiment:q} \
            --device {wildcards.device:q} \
            --reason {params.reason:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule gather_parts:
    message:
        "Gathering the parts of {wildcards.experiment}"
    input:
        schema=SCHEMA,
        parts=lambda wildcards: parts_of(wildcards.experiment),
    output:
        record="<results>/records/{experiment}.json",
    params:
        program=unchanged("scripts/gather_records.py"),
        text=digest(SCHEMA),
        software=locked("train"),
    log:
        "<logs>/gather_parts/{experiment}.log",
    wildcard_constraints:
        experiment=alternatives(PARTS),
    localrule: True
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --parts {input.parts:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
