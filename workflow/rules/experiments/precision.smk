"""
Search for the format of each linear layer of the base model (Lab 3). Each part, one a question, is
a job of each replicate, whose record is a part of the experiment's.

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base_model.safetensors

OUTPUTS:

    part   = <results>/parts/precision/{part}.{replicate}.json
    record = <results>/records/precision.json, gathered from the parts

Evaluations stay in <results>/studies, which is no output: a job that starts again finds them.
"""

from labs.experiments.precision.names import PARTS as PRECISION_PARTS
from labs.experiments.precision.sizes import IN_EACH

PRECISION = SIZES["precision"]

RECORDS.append("<results>/records/precision.json")
PART_RULES["precision"] = ["search_precisions"]
PARTS["precision"] = expand(
    "<results>/parts/precision/{part}.{replicate}.json",
    part=PRECISION_PARTS,
    replicate=range(PRECISION["seeds"]),
)


rule search_precisions:
    message:
        "Searching among number formats: {wildcards.part}, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/parts/precision/{part}.{replicate}.json",
    params:
        program=unchanged("scripts/search_precisions.py"),
        software=locked("train"),
        settings=flags(PRECISION, *IN_EACH) + shared("max-length", "seed", "device"),
        studies=STUDIES,
    log:
        "<logs>/search_precisions/{part}.{replicate}.log",
    wildcard_constraints:
        part=one_of(PRECISION_PARTS),
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("precision"),
    priority: EARLY
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --part {wildcards.part:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
