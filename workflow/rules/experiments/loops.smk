"""The labs' training loop against transformers' Trainer."""

from labs.experiments.loops import sizes


use rule timing_of_training as measure_loops with:
    message:
        "Timing the training loops on {TRAINING_DEVICE}"
    input:
        model=FIRST_BASE_MODEL,
        tokens=TOKENS,
        vocabulary=VOCABULARY,
    output:
        record=record("loops"),
    params:
        program=experiment("loops"),
        settings=settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/measure_loops.log",
    resources:
        **whole_node(SIZES["loops"]["job-memory"], TRAINING_DEVICE),
