"""The reviews, their lengths and their splits (Lab 0)."""

from labs.experiments.reviews import sizes


use rule counting as count_reviews with:
    message:
        "Counting the reviews"
    input:
        reviews_file=REVIEWS,
        tokens=TOKENS,
    output:
        record=record("reviews"),
    params:
        program=experiment("reviews"),
        software=locked("train"),
        settings=settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/count_reviews.log",
    resources:
        **resources_for(SIZES["reviews"]["job-memory"]),
    conda:
        f"{workflow.basedir}/envs/train.yaml"
