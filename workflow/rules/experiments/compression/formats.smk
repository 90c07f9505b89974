"""The base model in every number format (question 1.1)."""

from labs.experiments.compression import sizes


use rule training as compare_formats with:
    message:
        "Quantizing the base model to every number format"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=record("formats"),
    params:
        program=experiment("compression/formats"),
        settings=settings_as_flags(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/compare_formats.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
