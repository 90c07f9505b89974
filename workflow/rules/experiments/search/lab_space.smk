"""Samplers on the lab's whole space, where the preset has trials for it (question 2.1)."""

from labs.experiments.search import sizes
from labs.experiments.search.names import LAB_SAMPLERS

if SIZES["search"]["lab-trials"]:
    in_parts(
        "search",
        "search_lab_space",
        "<results>/parts/search/lab-{sampler}-{replicate}.json",
        sampler=LAB_SAMPLERS,
        replicate=range(SIZES["search"]["seeds"]),
    )


use rule training as search_lab_space with:
    message:
        "Searching the lab's whole space, {wildcards.sampler}, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/search/lab-{sampler}-{replicate}.json",
    params:
        program=experiment("search/lab_space"),
        settings=given(*sizes.LAB_SPACE) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    resources:
        **taking(SIZES["search"]["lab-memory"]),
