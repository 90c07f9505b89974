"""Every architecture of a grid trained, and samplers replayed on that (question 2.1)."""

from labs.experiments.search import sizes


use rule training as search_architectures with:
    message:
        "Searching among architectures, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("search", "search_architectures", "{replicate}", replicate=CHAINS),
    params:
        program=experiment("search/architectures"),
        settings=settings_as_flags(*sizes.ARCHITECTURES) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_architectures/{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["job-memory"], TRAINING_DEVICE),
    priority: EARLY
