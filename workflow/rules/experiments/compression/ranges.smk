"""The ranges of the base model's numbers (question 1.1)."""

from labs.experiments.compression import sizes


use rule training as measure_ranges with:
    message:
        "Measuring the ranges of weights, biases and activations"
    input:
        model=FIRST_BASE_MODEL,
        tokens=TOKENS,
    output:
        record=record("ranges"),
    params:
        program=experiment("compression/ranges"),
        settings=settings_as_flags(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/measure_ranges.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
