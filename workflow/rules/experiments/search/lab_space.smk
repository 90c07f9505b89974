"""Samplers on the lab's whole space, where the preset has trials for it (question 2.1)."""

from labs.experiments.search import names, sizes

SAMPLERS = names.LAB_SAMPLERS if SIZES["search"]["lab-trials"] else []


use rule training as search_lab_space with:
    message:
        "Searching the lab's whole space, {wildcards.sampler}, replicate {wildcards.replicate}"
    input:
        parts=lambda wildcards: PARTS["search"]["search_architectures"],
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part(
            "search",
            "search_lab_space",
            "lab-{sampler}-{replicate}",
            sampler=SAMPLERS,
            replicate=CHAINS,
        ),
    params:
        program=experiment("search/lab_space"),
        settings=settings_as_flags(*sizes.LAB_SPACE) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["lab-memory"], TRAINING_DEVICE),
