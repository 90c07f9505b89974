"""The memory of models in MXINT8 (question 3d)."""

from labs.experiments.mxint8 import sizes


use rule counting as measure_mxint8_memory with:
    message:
        "Measuring the memory of MXINT8 models on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record=record_per_device("mxint8_memory"),
    params:
        program=experiment("mxint8/memory"),
        settings=settings_as_flags(*sizes.MEMORY),
        run=run_with(1),
    log:
        "<logs>/measure_mxint8_memory/{device}.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"]),
