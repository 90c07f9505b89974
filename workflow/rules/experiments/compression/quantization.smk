"""The base model in fixed point, with and without training (questions 1.1, 1.1b and 1.1c)."""

from labs.experiments.compression import sizes

QUANTIZED = "<results>/models/quantized/{replicate}.safetensors"


use rule training as quantize_model with:
    message:
        "Quantizing the base model, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=part("quantization", "quantize_model", "{replicate}", replicate=CHAINS),
        save_model=QUANTIZED,
    params:
        program=experiment("compression/quantization"),
        settings=settings_as_flags(*sizes.QUANTIZATION) + flags({"studies": STUDIES}),
    log:
        "<logs>/quantize_model/{replicate}.log",
    resources:
        **resources_for(SIZES["compression"]["job-memory"], TRAINING_DEVICE),
    priority: EARLY
