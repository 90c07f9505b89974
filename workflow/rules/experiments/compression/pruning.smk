"""The quantized model, pruned with and without training (question 1.2)."""

from labs.experiments.compression import sizes


use rule training as prune_model with:
    message:
        "Pruning the quantized model, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        quantized="<results>/models/quantized/{replicate}.safetensors",
        tokens=TOKENS,
    output:
        record=part("pruning", "prune_model", "{replicate}", replicate=CHAINS),
    params:
        program=experiment("compression/pruning"),
        settings=settings_as_flags(*sizes.PRUNING) + flags({"studies": STUDIES}),
    log:
        "<logs>/prune_model/{replicate}.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
