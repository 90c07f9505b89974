"""The base model, quantized and pruned (questions 1.1 and 1.2)."""

from labs.experiments.compression import sizes

QUANTIZED = "<results>/models/quantized/{replicate}.safetensors"


# The base model in every number format (question 1.1).
use rule training as compare_formats with:
    message:
        "Quantizing the base model to every number format"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=record("formats"),
    params:
        program=experiment("compression/formats"),
        settings=settings_as_flags(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/compare_formats.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),


# The quantized model, pruned with and without training (question 1.2).
use rule training as prune_model with:
    message:
        "Pruning the quantized model, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        quantized=QUANTIZED,
        tokens=TOKENS,
    output:
        record=part("pruning", "prune_model", "{replicate}", replicate=seeds("compression")),
    params:
        program=experiment("compression/pruning"),
        settings=settings_as_flags(*sizes.PRUNING) + flags({"studies": STUDIES}),
    log:
        "<logs>/prune_model/{replicate}.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),


# The base model in fixed point, with and without training (questions 1.1, 1.1b and 1.1c).
use rule training as quantize_model with:
    message:
        "Quantizing the base model, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=part("quantization", "quantize_model", "{replicate}", replicate=seeds("compression")),
        save_model=QUANTIZED,
    params:
        program=experiment("compression/quantization"),
        settings=settings_as_flags(*sizes.QUANTIZATION) + flags({"studies": STUDIES}),
    log:
        "<logs>/quantize_model/{replicate}.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
    priority: EARLY


# The ranges of the base model's numbers (question 1.1).
use rule training as measure_ranges with:
    message:
        "Measuring the ranges of weights, biases and activations"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=record("ranges"),
    params:
        program=experiment("compression/ranges"),
        settings=settings_as_flags(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/measure_ranges.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),


# The speed of compressed models (questions 1.1b and 1.2).
use rule timing_of_training as measure_compression_speed with:
    message:
        "Timing compressed models on {TRAINING_DEVICE}"
    output:
        record=record("compression_speed"),
    params:
        program=experiment("compression/speed"),
        settings=settings_as_flags(*sizes.SPEED),
    log:
        "<logs>/measure_compression_speed.log",
    resources:
        **whole_node(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
