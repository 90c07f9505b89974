"""torch.compile on ResNet-18, as the lab runs it (question 1a)."""

from labs.experiments.compilation import sizes


use rule timing as measure_compilation with:
    message:
        "Timing torch.compile on {wildcards.device}, as the lab does"
    output:
        record=record_per_device("compilation"),
    params:
        program=experiment("compilation/lab"),
        settings=settings_as_flags(*sizes.LAB),
    log:
        "<logs>/measure_compilation/{device}.log",
    resources:
        **whole_node(SIZES["compilation"]["job-memory"]),
