"""The winner of the search, trained for more epochs (question 2.1b)."""

from labs.experiments.search import sizes


use rule training as train_winner with:
    message:
        "Training the winner of the search for more epochs, replicate {wildcards.replicate}"
    input:
        parts=lambda wildcards: PARTS["search"]["search_architectures"],
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=part("search", "train_winner", "epochs-{replicate}", replicate=CHAINS),
    params:
        program=experiment("search/epochs"),
        settings=settings_as_flags(*sizes.EPOCHS) + flags({"studies": STUDIES}),
    log:
        "<logs>/train_winner/{replicate}.log",
    resources:
        **resources_for(SIZES["search"]["job-memory"], TRAINING_DEVICE),
