"""
Prune the quantized model, with and without training afterwards (question 1.2). Each curve of each
seed is one job, whose record is a part of the experiment's.

REQUIRED INPUTS:

    tokens    = results/data/tokens.parquet
    model     = <results>/models/base_model.safetensors
    quantized = <results>/models/quantized/widths-qat.{replicate}.safetensors

OUTPUTS:

    part   = <results>/parts/pruning/{curve}.{replicate}.json
    record = <results>/records/pruning.json, gathered from the parts
"""

RECORDS.append("<results>/records/pruning.json")
PART_RULES["pruning"] = ["prune_model"]
PARTS["pruning"] = expand(
    "<results>/parts/pruning/{curve}.{replicate}.json", curve=PRUNED, replicate=REPLICATES
)


use rule measure_ranges as prune_model with:
    message:
        "Pruning the quantized model: {wildcards.curve}, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        quantized="<results>/models/quantized/widths-qat.{replicate}.safetensors",
        tokens=TOKENS,
    output:
        record="<results>/parts/pruning/{curve}.{replicate}.json",
    params:
        program=unchanged("scripts/prune_model.py"),
        settings=flags(COMPRESSION, "learning-rate") + FINE_TUNED,
        own=lambda wildcards, input: [
            *PRUNED[wildcards.curve],
            *("--quantized", input.quantized),
            *("--replicate", wildcards.replicate),
        ],
    log:
        "<logs>/prune_model/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=one_of(PRUNED),
        replicate=r"\d+",
