"""torch.compile by mode, size and cache, on ResNet-18 and BERT-tiny (questions 1a and 1b)."""

from labs.experiments.compilation import sizes


use rule timing as measure_compilation_modes with:
    message:
        "Timing torch.compile on {wildcards.device}, by mode and size"
    output:
        record=record_per_device("compilation_modes"),
    params:
        program=experiment("compilation/modes"),
        settings=settings_as_flags(*sizes.BY_MODE),
    log:
        "<logs>/measure_compilation_modes/{device}.log",
    resources:
        **whole_node(SIZES["compilation"]["job-memory"]),
