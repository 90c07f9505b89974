"""
Train the base model, the BERT-tiny that the compression labs start from.

REQUIRED INPUTS:

    tokens        = results/data/tokens.parquet
    first_weights = with model.source: path, the folder that model.name gives

OUTPUTS:

    model  = <results>/models/base_model.safetensors
    record = <results>/records/base_model.json
"""

RECORDS.append("<results>/records/base_model.json")


# The files of the model that training starts from, where they lie on this machine.
FIRST_WEIGHTS = (
    [f"{config['model']['name']}/{file}" for file in ("config.json", "model.safetensors")]
    if config["model"]["source"] == "path"
    else []
)


rule train_base_model:
    message:
        "Training the base model on {TRAINING_DEVICE}"
    input:
        tokens=TOKENS,
        first_weights=FIRST_WEIGHTS,
    output:
        model=BASE_MODEL,
        record="<results>/records/base_model.json",
    params:
        program=unchanged("scripts/train_base_model.py"),
        software=locked("train"),
        settings=flags(config["model"])
        + flags(SIZES["base-model"])
        + shared("max-length", "seed", "device"),
    log:
        "<logs>/train_base_model.log",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("base-model"),
    priority: FIRST
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --model {output.model:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
