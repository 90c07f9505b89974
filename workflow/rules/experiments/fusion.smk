"""Kernel fusion: attention, and linear + ReLU (questions 2a and 2b)."""

from labs.experiments.fusion import sizes


use rule timing as measure_fusion with:
    message:
        "Timing kernel fusion on {wildcards.device}"
    output:
        record=record_per_device("fusion"),
    params:
        program=experiment("fusion"),
        settings=settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/measure_fusion/{device}.log",
    resources:
        **whole_node(SIZES["fusion"]["job-memory"]),
