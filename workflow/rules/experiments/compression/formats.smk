"""The base model in every number format (question 1.1)."""

from labs.experiments.compression import sizes

RECORDS.append("<results>/records/formats.json")


use rule training as compare_formats with:
    message:
        "Quantizing the base model to every number format"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/records/formats.json",
    params:
        program=experiment("compression/formats"),
        settings=given(*sizes.JUDGED) + flags({"studies": STUDIES}),
    log:
        "<logs>/compare_formats.log",
    resources:
        **taking(SIZES["compression"]["job-memory"]),
