"""The base models, each a BERT-tiny that a chain of the compression labs starts from."""

from labs.experiments.base_model import sizes


use rule training as train_base_model with:
    message:
        "Training the base model, replicate {wildcards.replicate}, on {TRAINING_DEVICE}"
    input:
        tokens=TOKENS,
        first_weights=FIRST_WEIGHTS,
    output:
        record=part("base_model", "train_base_model", "{replicate}", replicate=CHAINS),
        save_model=BASE_MODEL,
    params:
        program=experiment("base_model"),
        settings=flags(config["model"]) + settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/train_base_model/{replicate}.log",
    resources:
        **resources_for(SIZES["base-model"]["job-memory"], TRAINING_DEVICE),
    priority: FIRST
