"""Claims about compression-aware search: question 2.2."""

from typing import Unpack

from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.rules import Published, Rules
from labs.claims.statement import Rule, Statement
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-2"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "search.compression", QUESTION)
    claim = claim.at("search", "layers", "replaced", "reviews", "epochs")
    repeated = claim.only_with("repeatability", "several training seeds and architectures")

    def tested(short: str, words: str, **published: Unpack[Published]) -> Rule:
        """Assert that the first model of COMPRESSED_WINNERS is the better one on the test split."""

        def judge(statement: Statement) -> Claim:
            if claim.number(f"{short}.models") == 1:
                return statement.not_measured("both searches choose the same architecture")
            return statement.superior(claim.value(short))

        return claim.rule(short, words, judge, **published)

    def chooses_another(short: str, words: str) -> Rule:
        """Assert that compression leads a search to another architecture, be it better or not."""
        return claim.rule(
            f"{short}.chooses-another",
            f"The search {words} chooses another architecture than the one without compression.",
            claim.equals(f"{short}.models", 2),
        )

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
        tested(
            "over_winner",
            "On the test split, the best retrained model is more accurate than the best one that "
            "was not compressed.",
            like=("C-retrained-above",),
            against=("B-retrained-below",),
        ),
        tested(
            "over_control",
            "On the test split, the best retrained model is more accurate than its architecture "
            "trained as long without compression.",
            like=("C-less-overfitting",),
        ),
        chooses_another("aware.compressed", "for the best compressed model"),
        tested(
            "aware.compressed",
            "On the test split, searching for the best compressed model finds a better one than "
            "compressing the best uncompressed one.",
        ),
        chooses_another("aware.retrained", "with training after compression"),
        tested(
            "aware.retrained",
            "On the test split, searching with training after compression finds a better model "
            "than compressing the best uncompressed one and training it.",
        ),
        repeated.rule(
            "repeatability",
            "What compression costs an architecture, it costs with another training seed too.",
            repeated.exceeds("repeatability", 0),
        ),
    ]
