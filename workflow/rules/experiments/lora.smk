"""
Fine-tune a pretrained encoder fully, and with LoRA (question 0.3).

REQUIRED INPUTS:

    tokens  = results/data/tokens.parquet
    encoder = results/data/encoder/{config.json,model.safetensors,vocab.txt}

OUTPUTS:

    record = <results>/records/lora.json
"""

RECORDS.append("<results>/records/lora.json")


rule train_lora:
    message:
        "Timing LoRA against full fine-tuning on {TRAINING_DEVICE}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/records/lora.json",
    params:
        code=code_digest("scripts/train_lora.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(SIZES["lora"]),
        shared=shared("max-length", "threads", "seed"),
        device=TRAINING_DEVICE,
    log:
        "<logs>/train_lora.log",
    threads: ALONE
    resources:
        gpu=TRAINING_GPUS,
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} scripts/train_lora.py \
            --encoder {params.encoder:q} \
            --tokens {input.tokens:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
