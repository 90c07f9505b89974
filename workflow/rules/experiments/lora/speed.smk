"""The time of training steps, full and with LoRA (question 0.3)."""

from labs.experiments.lora import sizes


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
