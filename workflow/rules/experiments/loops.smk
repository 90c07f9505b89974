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
        code=code_digest("scripts/measure_loops.py"),
        software=locked("train"),
        sizes=flags(SIZES["loops"]),
        shared=shared("processes", "budget", "threads", "seed"),
        device=TRAINING_DEVICE,
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
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/measure_loops.py \
            --model {input.model:q} \
            --tokens {input.tokens:q} \
            --vocabulary {input.vocabulary:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
