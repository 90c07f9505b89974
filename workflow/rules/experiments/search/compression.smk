"""The architectures that searches chose, tested with and without compression (question 2.2)."""

from labs.experiments.search import sizes

TESTED = range(max(SIZES["chains"], SIZES["search"]["noise-seeds"]))


use rule training as evaluate_architecture with:
    message:
        "Testing what the searches chose, replicate {wildcards.replicate}"
    input:
        parts=lambda wildcards: PARTS["search"]["search_architectures"],
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("search", "evaluate_architecture", "test-{replicate}", replicate=TESTED),
    params:
        program=experiment("search/compression"),
        settings=settings_as_flags(*sizes.COMPRESSION) + flags({"studies": STUDIES}),
    log:
        "<logs>/evaluate_architecture/{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["job-memory"], TRAINING_DEVICE),
