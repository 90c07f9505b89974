"""Full fine-tuning and LoRA, a job for each training seed (question 0.3)."""

from labs.experiments.lora import sizes


use rule training as train_lora with:
    message:
        "Training with SFT and with LoRA, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("lora", "train_lora", "{replicate}", replicate=range(SIZES["lora"]["seeds"])),
    params:
        program=experiment("lora/training"),
        settings=settings_as_flags(*sizes.TRAINING),
    log:
        "<logs>/train_lora/{replicate}.log",
    resources:
        **resources_for(SIZES["lora"]["job-memory"], TRAINING_DEVICE),
