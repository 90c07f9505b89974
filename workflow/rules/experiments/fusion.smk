"""Kernel fusion: attention, and linear + ReLU (questions 2a and 2b)."""

from labs.experiments.fusion import sizes


use rule timing as measure_fusion with:
    message:
        "Timing kernel fusion on {wildcards.device}"
    output:
        record=record_per_device("fusion"),
    params:
        program=experiment("fusion"),
        settings=given(*sizes.JOB),
    log:
        "<logs>/measure_fusion/{device}.log",
    resources:
        **alone(SIZES["fusion"]["job-memory"]),
