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


rule prune_model:
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
        software=locked("train"),
        sparsities=lambda wildcards: PRUNED[wildcards.curve][0],
        epochs=lambda wildcards: PRUNED[wildcards.curve][1],
        settings=flags(COMPRESSION, "learning-rate", "reviews", "held-out")
        + shared("max-length", "seed", "device"),
    log:
        "<logs>/prune_model/{curve}.{replicate}.log",
    wildcard_constraints:
        curve=one_of(PRUNED),
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("compression"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --curve {wildcards.curve:q} \
            --sparsities {params.sparsities:q} \
            --epochs {params.epochs:q} \
            --model {input.model:q} \
            --quantized {input.quantized:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --replicate {wildcards.replicate:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
