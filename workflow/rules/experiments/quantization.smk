"""
Quantize the base model to fixed point, with and without training (questions 1.1, 1.1b and 1.1c).
Every training seed is a job, whose record is a part of the experiment's.

REQUIRED INPUTS:

    tokens = results/data/tokens.parquet
    model  = <results>/models/base_model.safetensors

OUTPUTS:

    model  = <results>/models/quantized/{replicate}.safetensors, the one chosen among widths
    part   = <results>/parts/quantization/{replicate}.json
    record = <results>/records/quantization.json, gathered from the parts
"""

from labs.experiments.compression.sizes import FORMATS

RECORDS.append("<results>/records/quantization.json")
PART_RULES["quantization"] = ["quantize_model"]
PARTS["quantization"] = expand(
    "<results>/parts/quantization/{replicate}.json", replicate=range(COMPRESSION["seeds"])
)


use rule measure_ranges as quantize_model with:
    message:
        "Quantizing the base model, replicate {wildcards.replicate}"
    output:
        record="<results>/parts/quantization/{replicate}.json",
        model="<results>/models/quantized/{replicate}.safetensors",
    params:
        program=unchanged("scripts/quantize_model.py"),
        settings=flags(COMPRESSION, *FORMATS, "reviews", "held-out")
        + shared("max-length", "seed", "device"),
        own=lambda wildcards, output: [
            *("--replicate", wildcards.replicate),
            *("--keep", output.model),
        ],
    log:
        "<logs>/quantize_model/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    priority: EARLY
