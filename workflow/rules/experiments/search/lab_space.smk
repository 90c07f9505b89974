"""Samplers on the lab's whole space, where the preset has trials for it (question 2.1)."""

from labs.experiments.search import sizes
from labs.experiments.search.names import LAB_SAMPLERS


use rule training as search_lab_space with:
    message:
        "Searching the lab's whole space, {wildcards.sampler}, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part(
            "search",
            "search_lab_space",
            "lab-{sampler}-{replicate}",
            sampler=LAB_SAMPLERS,
            replicate=range(SIZES["search"]["seeds"] if SIZES["search"]["lab-trials"] else 0),
        ),
    params:
        program=experiment("search/lab_space"),
        settings=given(*sizes.LAB_SPACE) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    resources:
        **taking(SIZES["search"]["lab-memory"]),
