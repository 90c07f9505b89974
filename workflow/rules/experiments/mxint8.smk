"""MXINT8: formulas, kernels, layers, memory and accuracy (questions 3a to 3d)."""

from labs.experiments.mxint8 import sizes


# The base model's accuracy in MXINT8 (question 3d).
use rule training as measure_mxint8_accuracy with:
    message:
        "Measuring the accuracy of the base model in MXINT8"
    input:
        manifest=manifest_of_build,
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=record("mxint8_accuracy"),
    params:
        program=experiment("mxint8/accuracy"),
        settings=settings_as_flags(*sizes.ACCURACY),
    log:
        "<logs>/measure_mxint8_accuracy.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"], TRAINING_DEVICE),


# Every code of MXINT8, decoded and encoded (question 3b).
use rule counting as measure_mxint8_formulas with:
    message:
        "Decoding every MXINT8 code on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record=record_per_device("mxint8_formulas"),
    params:
        program=experiment("mxint8/formulas"),
        run=run_with(config["threads"]),
    log:
        "<logs>/measure_mxint8_formulas/{device}.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"]),


# The kernels that decode MXINT8 (question 3c).
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


# Linear layers in MXINT8 and other formats (question 3a).
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


# The memory of models in MXINT8 (question 3d).
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
        run=run_with(config["threads"]),
    log:
        "<logs>/measure_mxint8_memory/{device}.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"]),


# The partition of a CuTe kernel, computed on the host (question 3c).
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
