"""The partition of a CuTe kernel, computed on the host (question 3c)."""

from labs.experiments.mxint8 import sizes


use rule counting as measure_mxint8_partition with:
    message:
        "Recording the partition of the CuTe kernel"
    input:
        manifest=manifest_of_build,
    output:
        record=record("mxint8_partition"),
    params:
        program=experiment("mxint8/partition"),
        settings=settings_as_flags(*sizes.PARTITION)
        + flags({"program": "results/build/mxint_cuda/cute_partition"}),
    log:
        "<logs>/measure_mxint8_partition.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"]),
