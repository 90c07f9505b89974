"""The speed of compressed models (questions 1.1 and 1.2)."""

from labs.experiments.compression import sizes


use rule timing_of_training as measure_compression_speed with:
    message:
        "Timing compressed models on {TRAINING_DEVICE}"
    output:
        record=record("compression_speed"),
    params:
        program=experiment("compression/speed"),
        settings=settings_as_flags(*sizes.SPEED),
    log:
        "<logs>/measure_compression_speed.log",
    resources:
        **whole_node(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
