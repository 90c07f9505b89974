"""The base model's accuracy in MXINT8 (question 3d)."""

from labs.experiments.mxint8 import sizes


use rule training as measure_mxint8_accuracy with:
    message:
        "Measuring the accuracy of the base model in MXINT8, replicate {wildcards.replicate}"
    input:
        manifest=manifest_of_build,
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=part("mxint8_accuracy", "measure_mxint8_accuracy", "{replicate}", replicate=CHAINS),
    params:
        program=experiment("mxint8/accuracy"),
        settings=settings_as_flags(*sizes.ACCURACY),
    log:
        "<logs>/measure_mxint8_accuracy/{replicate}.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"], TRAINING_DEVICE),
