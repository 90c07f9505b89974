"""Linear layers in MXINT8 and other formats (question 3a)."""

from labs.experiments.mxint8 import sizes


use rule timing as measure_mxint8_linear with:
    message:
        "Timing linear layers in MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record=record_per_device("mxint8_linear"),
    params:
        program=experiment("mxint8/linear"),
        settings=settings_as_flags(*sizes.LINEAR),
    log:
        "<logs>/measure_mxint8_linear/{device}.log",
    resources:
        **whole_node(SIZES["mxint8"]["job-memory"]),
