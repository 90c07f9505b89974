"""
Fine-tune a classifier fully, and with LoRA, and time the steps of both (question 0.3). Every
training seed is a job, and the timing is one; their records are parts of the experiment's.

REQUIRED INPUTS:

    tokens  = results/data/tokens.parquet
    encoder = results/data/encoder/{config.json,model.safetensors,vocab.txt}

OUTPUTS:

    part   = <results>/parts/lora/{replicate}.json
    speed  = <results>/parts/lora/speed.json
    record = <results>/records/lora.json, gathered from the parts
"""

from labs.experiments.lora.sizes import WAYS

# A training of a small model gains little from more threads: the seeds share the machine instead.
LORA = SIZES["lora"]

RECORDS.append("<results>/records/lora.json")
PART_RULES["lora"] = ["train_lora", "measure_lora_speed"]
PARTS["lora"] = [
    *expand("<results>/parts/lora/{replicate}.json", replicate=range(LORA["seeds"])),
    "<results>/parts/lora/speed.json",
]


rule train_lora:
    message:
        "Training with SFT and with LoRA, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/lora/{replicate}.json",
    params:
        program=unchanged("scripts/train_lora.py"),
        software=locked("train"),
        encoder=folder_of_encoder,
        settings=flags(LORA, *WAYS, "reviews", "held-out") + shared("max-length", "seed", "device"),
        own=lambda wildcards: [
            *("--replicate", wildcards.replicate),
            *("--threads", TRAINING_THREADS),
        ],
    log:
        "<logs>/train_lora/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("lora"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --encoder {params.encoder:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            {params.own:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule train_lora as measure_lora_speed with:
    message:
        "Timing steps of SFT and of LoRA on {TRAINING_DEVICE}"
    output:
        record="<results>/parts/lora/speed.json",
    params:
        program=unchanged("scripts/measure_lora_speed.py"),
        settings=flags(LORA, *WAYS)
        + shared("max-length", "processes", "budget", "rounds", "threads", "seed", "device"),
        own=[],
    log:
        "<logs>/measure_lora_speed.log",
    threads: ALONE
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("lora"),
        slurm_extra=EXCLUSIVE,
    retries: 0
