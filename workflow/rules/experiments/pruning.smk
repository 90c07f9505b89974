"""
Prune the quantized model, with and without training afterwards (question 1.2). Every training seed
is a job, whose record is a part of the experiment's.

REQUIRED INPUTS:

    tokens    = results/data/tokens.parquet
    model     = <results>/models/base_model.safetensors
    quantized = <results>/models/quantized/{replicate}.safetensors

OUTPUTS:

    part   = <results>/parts/pruning/{replicate}.json
    record = <results>/records/pruning.json, gathered from the parts
"""

from labs.experiments.compression.sizes import PRUNING

RECORDS.append("<results>/records/pruning.json")
PART_RULES["pruning"] = ["prune_model"]
PARTS["pruning"] = expand(
    "<results>/parts/pruning/{replicate}.json", replicate=range(COMPRESSION["seeds"])
)


use rule measure_ranges as prune_model with:
    message:
        "Pruning the quantized model, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        quantized="<results>/models/quantized/{replicate}.safetensors",
        tokens=TOKENS,
    output:
        record="<results>/parts/pruning/{replicate}.json",
    params:
        program=unchanged("scripts/prune_model.py"),
        settings=flags(COMPRESSION, *PRUNING, "reviews", "held-out")
        + shared("max-length", "seed", "device"),
        own=lambda wildcards, input: [
            *("--quantized", input.quantized),
            *("--replicate", wildcards.replicate),
        ],
    log:
        "<logs>/prune_model/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
