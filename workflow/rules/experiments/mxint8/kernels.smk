"""The kernels that decode MXINT8 (question 3c)."""

from labs.experiments.mxint8 import sizes


use rule timing as measure_mxint8_kernels with:
    message:
        "Timing the kernels that decode MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record=record_per_device("mxint8_kernels"),
    params:
        program=experiment("mxint8/kernels"),
        settings=settings_as_flags(*sizes.KERNELS),
    log:
        "<logs>/measure_mxint8_kernels/{device}.log",
    resources:
        **whole_node(SIZES["mxint8"]["job-memory"]),
