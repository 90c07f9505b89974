"""
Train the base model, time the training loop, and fine-tune an encoder with and without LoRA
(question 0.3).

REQUIRED INPUTS:

    tokens  = results/data/tokens.parquet
    encoder = results/data/encoder/{config.json,model.safetensors,vocab.txt}

OUTPUTS:

    model  = <results>/models/base/bert-tiny.safetensors
    record = <results>/records/base/bert-tiny.json
    record = <results>/records/loops/bert-tiny.json
    record = <results>/records/lora/minilm.json
"""

BASE = "<results>/models/base/bert-tiny.safetensors"
# Models are trained on one device: the fastest present.
TRAINING_DEVICE = PRESENT[-1]
# Threads of a training that shares the machine. A small model gains little from more.
TRAINING_THREADS = 2

RECORDS += [
    "<results>/records/base/bert-tiny.json",
    "<results>/records/loops/bert-tiny.json",
    "<results>/records/lora/minilm.json",
]
TABLES += ["base_model_epochs", "loops_time", "lora_arms", "lora_seeds"]
FIGURES += ["loops_time", "lora_accuracy"]


rule train_base:
    message:
        "Training the base model, {TRAINING_DEVICE}"
    input:
        code=code_of("scripts/train_base.py"),
        tokens=TOKENS,
        first_weights=first_weights,
    output:
        model=BASE,
        record="<results>/records/base/bert-tiny.json",
    params:
        source=config["model"]["source"],
        name=config["model"]["name"],
        max_length=SIZES["max-length"],
        sizes=flags(SIZES["base"]),
        device=TRAINING_DEVICE,
        seed=config["seed"],
    log:
        "<logs>/train_base.log",
    threads: TRAINING_THREADS
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/train_base.py \
            --tokens {input.tokens:q} \
            --source {params.source:q} \
            --name {params.name:q} \
            --max-length {params.max_length:q} \
            {params.sizes:q} \
            --model {output.model:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule measure_loops:
    message:
        "Timing the training loop, {TRAINING_DEVICE}"
    input:
        code=code_of("scripts/measure_loops.py"),
        model=BASE,
        tokens=TOKENS,
        vocabulary=VOCABULARY,
    output:
        record="<results>/records/loops/bert-tiny.json",
    params:
        sizes=flags(SIZES["loops"]),
        processes=SIZES["processes"],
        device=TRAINING_DEVICE,
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/measure_loops.log",
    threads: ALONE
    retries: 0
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/measure_loops.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --vocabulary {input.vocabulary:q} \
            {params.sizes:q} \
            --processes {params.processes:q} \
            --device {params.device:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule train_lora:
    message:
        "Fine-tuning fully and with LoRA, {TRAINING_DEVICE}"
    input:
        code=code_of("scripts/train_lora.py"),
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/records/lora/minilm.json",
    params:
        encoder=folder_of_encoder,
        max_length=SIZES["max-length"],
        sizes=flags(SIZES["lora"]),
        device=TRAINING_DEVICE,
        threads=config["threads"],
        seed=config["seed"],
    log:
        "<logs>/train_lora.log",
    threads: ALONE
    retries: 0
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/train_lora.py \
            --encoder {params.encoder:q} \
            --tokens {input.tokens:q} \
            --max-length {params.max_length:q} \
            {params.sizes:q} \
            --device {params.device:q} \
            --threads {params.threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
