"""A number format for each layer of the base model (Lab 3): a job for each question and replicate."""

from labs.experiments.precision import sizes
from labs.experiments.precision.names import PARTS as LAB_3

in_parts(
    "precision",
    "search_precisions",
    "<results>/parts/precision/{part}.{replicate}.json",
    part=LAB_3,
    replicate=range(SIZES["precision"]["seeds"]),
)


use rule training as search_precisions with:
    message:
        "Searching among number formats: {wildcards.part}, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record="<results>/parts/precision/{part}.{replicate}.json",
    params:
        program=experiment("precision"),
        settings=given(*sizes.JOB) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_precisions/{part}.{replicate}.log",
    resources:
        **taking(SIZES["precision"]["job-memory"]),
    priority: EARLY
