"""A number format for each layer of the base model (Lab 3): a job for each question and replicate."""

from labs.experiments.precision import names, sizes


use rule training as search_precisions with:
    message:
        "Searching among number formats: {wildcards.part}, replicate {wildcards.replicate}"
    input:
        model=BASE_MODEL,
        tokens=TOKENS,
    output:
        record=part(
            "precision",
            "search_precisions",
            "{part}.{replicate}",
            part=names.PARTS,
            replicate=CHAINS,
        ),
    params:
        program=experiment("precision"),
        settings=settings_as_flags(*sizes.SETTINGS) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_precisions/{part}.{replicate}.log",
    resources:
        **resources_for(SIZES["precision"]["job-memory"], TRAINING_DEVICE),
    priority: EARLY
