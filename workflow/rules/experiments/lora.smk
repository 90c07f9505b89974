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
        "Timing LoRA against full fine-tuning, {TRAINING_DEVICE}"
    input:
        code=code_of("scripts/train_lora.py"),
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/records/lora.json",
    params:
        encoder=folder_of_encoder,
        sizes=flags(SIZES["lora"]),
        shared=shared("max-length", "threads", "seed"),
        device=TRAINING_DEVICE,
    log:
        "<logs>/train_lora.log",
    threads: ALONE
    retries: 0
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/train_lora.py \
            --encoder {params.encoder:q} \
            --tokens {input.tokens:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --device {params.device:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
