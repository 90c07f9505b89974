"""
Quantize the base model to fixed point, with and without training (questions 1.1, 1.1b and 1.1c).
Each curve of each seed is one job, whose record is a part of the experiment's.

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base_model.safetensors

OUTPUTS:

    model  = <results>/models/quantized/widths-qat.{replicate}.safetensors
    part   = <results>/parts/quantization/{curve}.{replicate}.json
    record = <results>/records/quantization.json, gathered from the parts
"""

RECORDS.append("<results>/records/quantization.json")
PART_RULES["quantization"] = ["quantize_model", "quantize_widths"]
# PTQ is deterministic: one replicate is enough.
PARTS["quantization"] = [
    *expand("<results>/parts/quantization/{curve}.0.json", curve=PTQ),
    *expand(
        "<results>/parts/quantization/{curve}.{replicate}.json", curve=QAT, replicate=REPLICATES
    ),
]


use rule measure_ranges as quantize_model with:
    message:
        "Quantizing the base model: {wildcards.curve}, replicate {wildcards.replicate}"
    output:
        record="<results>/parts/quantization/{curve}.{replicate}.json",
    params:
        program=unchanged("scripts/quantize_model.py"),
        settings=FINE_TUNED,
        own=lambda wildcards: [
            *(PTQ | QAT)[wildcards.curve],
            *("--replicate", wildcards.replicate),
        ],
    log:
        "<logs>/quantize_model/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=one_of([curve for curve in PTQ | QAT if curve != KEPT]),
        replicate=r"\d+",


use rule quantize_model as quantize_widths with:
    output:
        record="<results>/parts/quantization/{curve}.{replicate}.json",
        model="<results>/models/quantized/{curve}.{replicate}.safetensors",
    params:
        own=lambda wildcards, output: [
            *QAT[KEPT],
            *("--replicate", wildcards.replicate),
            *("--keep", output.model),
        ],
    log:
        "<logs>/quantize_widths/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=KEPT,
        replicate=r"\d+",
    priority: EARLY
