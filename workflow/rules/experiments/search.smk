"""A search among architectures (questions 2.1, 2.1b and 2.2)."""

from labs.experiments.search import names, sizes

TESTED = range(max(SIZES["search"]["seeds"], SIZES["search"]["noise-seeds"]))


# Every architecture of a grid trained, and samplers replayed on that (question 2.1).
use rule training as search_architectures with:
    message:
        "Searching among architectures, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("search", "search_architectures", "{replicate}", replicate=seeds("search")),
    params:
        program=experiment("search/architectures"),
        settings=settings_as_flags(*sizes.ARCHITECTURES) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_architectures/{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["job-memory"], TRAINING_DEVICE),
    priority: EARLY


# The architectures that searches chose, tested with and without compression (question 2.2).
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


# The winner of the search, trained for more epochs (question 2.1b).
use rule training as train_winner with:
    message:
        "Training the winner of the search for more epochs, replicate {wildcards.replicate}"
    input:
        parts=lambda wildcards: PARTS["search"]["search_architectures"],
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("search", "train_winner", "epochs-{replicate}", replicate=seeds("search")),
    params:
        program=experiment("search/epochs"),
        settings=settings_as_flags(*sizes.EPOCHS) + flags({"studies": STUDIES}),
    log:
        "<logs>/train_winner/{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["job-memory"], TRAINING_DEVICE),


# Samplers on the lab's whole space, where the preset has trials for it (question 2.1).
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
            sampler=names.LAB_SAMPLERS if SIZES["search"]["lab-trials"] else [],
            replicate=seeds("search"),
        ),
    params:
        program=experiment("search/lab_space"),
        settings=settings_as_flags(*sizes.LAB_SPACE) + flags({"studies": STUDIES}),
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["lab-memory"], TRAINING_DEVICE),
