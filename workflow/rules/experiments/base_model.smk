"""The base model, the BERT-tiny that the compression labs start from."""

from labs.experiments.base_model import sizes


use rule training as train_base_model with:
    message:
        "Training the base model on {TRAINING_DEVICE}"
    input:
        tokens=TOKENS,
        first_weights=FIRST_WEIGHTS,
    output:
        record=record("base_model"),
        save_model=BASE_MODEL,
    params:
        program=experiment("base_model"),
        settings=flags(config["model"]) + settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/train_base_model.log",
    resources:
        **resources_for(SIZES["base-model"]["job-memory"], TRAINING_DEVICE),
    priority: FIRST
