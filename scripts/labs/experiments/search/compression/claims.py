"""Claims about compression-aware search: question 2.2."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-2"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "search.compression", QUESTION)
    claim = claim.at("search", "layers", "replaced", "reviews", "epochs")
    repeated = claim.only_with("repeatability", "several training seeds and architectures")

    return [
        claim.rule(
            "lost",
            "Compressing makes the architectures less accurate.",
            claim.superior("lost"),
            like=("B-compression-drop",),
        ),
        claim.rule(
            "recovered",
            "Training the compressed models makes them more accurate.",
            claim.superior("recovered"),
        ),
        claim.rule(
            "left",
            "Compressed and trained again, the architectures are more accurate than before.",
            claim.superior("left"),
        ),
        claim.rule(
            "retrained-above-compressed",
            "The search with training after compression ends above the one without it.",
            claim.superior("ahead.retrained-compressed"),
            like=("B-retrained-above-compressed",),
        ),
        claim.rule(
            "compressed-above-trial",
            "The search for the best compressed model ends above the one without compression.",
            claim.superior("ahead.compressed-trial"),
            against=("B-compressed-below",),
        ),
        claim.rule(
            "retrained-above-trial",
            "The search with training after compression ends above the one without compression.",
            claim.superior("ahead.retrained-trial"),
            like=("C-retrained-above",),
            against=("B-retrained-below",),
        ),
        claim.rule(
            "over_winner",
            "On the test split, the model that the search with training after compression chose is "
            "more accurate than the one that the search without compression chose.",
            claim.superior("over_winner"),
            like=("C-retrained-above",),
            against=("B-retrained-below",),
        ),
        claim.rule(
            "over_control",
            "On the test split, the model that the search with training after compression chose is "
            "more accurate than the same architecture, trained as long without compression.",
            claim.superior("over_control"),
            like=("C-less-overfitting",),
        ),
        claim.rule(
            "aware.compressed",
            "Searching for the best compressed model finds a better one than compressing the best "
            "uncompressed one.",
            claim.superior("aware.compressed"),
        ),
        claim.rule(
            "aware.retrained",
            "Searching with training after compression finds a better model than compressing the "
            "best uncompressed one and training it.",
            claim.superior("aware.retrained"),
        ),
        repeated.rule(
            "repeatability",
            "What compression costs an architecture, it costs with another training seed too.",
            repeated.exceeds("repeatability", 0),
        ),
    ]
