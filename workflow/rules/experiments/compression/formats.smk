"""The base model in every number format (question 1.1)."""

from labs.experiments.compression import sizes


use rule training as compare_formats with:
    message:
        "Quantizing the base model to every number format, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=part("formats", "compare_formats", "{replicate}", replicate=CHAINS),
    params:
        program=experiment("compression/formats"),
        settings=settings_as_flags(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/compare_formats/{replicate}.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
