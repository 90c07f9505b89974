"""Full fine-tuning and LoRA: how well they learn, and how long a step takes (question 0.3)."""

from labs.experiments.lora import sizes


# The time of training steps, full and with LoRA (question 0.3).
use rule timing_of_training as measure_lora_speed with:
    message:
        "Timing steps of SFT and of LoRA on {TRAINING_DEVICE}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("lora", "measure_lora_speed", "speed"),
    params:
        program=experiment("lora/speed"),
        settings=settings_as_flags(*sizes.SPEED),
    log:
        "<logs>/measure_lora_speed.log",
    resources:
        **whole_node(SIZES["lora"]["job-memory"], TRAINING_DEVICE),


# Full fine-tuning and LoRA, a job for each training seed (question 0.3).
use rule training as train_lora with:
    message:
        "Training with SFT and with LoRA, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("lora", "train_lora", "{replicate}", replicate=seeds("lora")),
    params:
        program=experiment("lora/training"),
        settings=settings_as_flags(*sizes.TRAINING),
    log:
        "<logs>/train_lora/{replicate}.log",
    resources:
        **resources_for(SIZES["lora"]["job-memory"], TRAINING_DEVICE),
