"""
Time the labs' training loop against transformers' Trainer.

REQUIRED INPUTS:

    model      = <results>/models/base_model.safetensors
    tokens     = results/data/tokens.parquet
    vocabulary = results/data/encoder/vocab.txt

OUTPUTS:

    record = <results>/records/loops.json
"""

RECORDS.append("<results>/records/loops.json")


rule measure_loops:
    message:
        "Timing the training loops on {TRAINING_DEVICE}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
        vocabulary=VOCABULARY,
    output:
        record="<results>/records/loops.json",
    params:
        program=unchanged("scripts/measure_loops.py"),
        software=locked("train"),
        settings=flags(SIZES["loops"]) + shared("processes", "budget", "threads", "seed", "device"),
    log:
        "<logs>/measure_loops.log",
    threads: ALONE
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("loops"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --vocabulary {input.vocabulary:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
