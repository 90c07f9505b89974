"""Every code of MXINT8, decoded and encoded (question 3b)."""


use rule counting as measure_mxint8_formulas with:
    message:
        "Decoding every MXINT8 code on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record=record_per_device("mxint8_formulas"),
    params:
        program=experiment("mxint8/formulas"),
        run=run_with(1),
    log:
        "<logs>/measure_mxint8_formulas/{device}.log",
    resources:
        **resources_for(SIZES["mxint8"]["job-memory"]),
