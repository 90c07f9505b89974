"""Claims about full fine-tuning (SFT) and LoRA: question 0.3."""

from __future__ import annotations

from typing import Unpack

from labs.analysis.lora import checks_of_merging, values
from labs.claims.claim import Rule
from labs.claims.rules import Published, Rules
from labs.records.record import Record

QUESTION = "lab0-3"
TENTH = 0.1


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about SFT and LoRA, and how each is judged."""
    claim = Rules(record, "lora", QUESTION, values).at("lora", "layers")
    training = claim.at("", "max_length").at("lora", "batch_size")
    trained = training.at("lora", "reviews", "sft_learning_rate")

    def gains(short: str, words: str, name: str, **published: Unpack[Published]) -> Rule:
        """Assert a gain in accuracy."""
        return trained.rule(
            short,
            words,
            lambda s: s.ahead(claim.value(f"gain.{name}")),
            **published,
        )

    checks = checks_of_merging(record) if claim.measured else []
    tolerance = f", {checks[0]['tolerance']:g} of the largest" if checks else ""
    return [
        claim.below(
            "few-parameters",
            "LoRA trains less than a tenth of the parameters that SFT trains.",
            "parameters.share",
            TENTH,
        ),
        training.below(
            "less-memory",
            "Training with LoRA holds less memory at its peak than SFT.",
            "memory.share",
            1,
            like=("D-lora-memory",),
        ),
        training.faster(
            "faster",
            "LoRA trains a review in less time than SFT.",
            "time.speedup",
            "time.noise_floor",
        ),
        gains(
            "sft-more-accurate",
            "After one epoch from the same start, SFT is more accurate than LoRA.",
            "sft_over_lora",
        ),
        gains(
            "second-epoch-gains",
            "An epoch of LoRA on the model that SFT left makes it more accurate.",
            "second_epoch_lora",
            like=("L-lora-accuracy",),
        ),
        gains(
            "beats-second-sft",
            "An epoch of LoRA on the model that SFT left gains more than a second epoch of SFT.",
            "lora_over_sft",
        ),
        claim.holds(
            "merge-exact",
            "Merging the adapters into the weights changes no output by more than what rounding is "
            f"granted{tolerance}.",
            "merge.error",
            lambda _: all(check["passed"] for check in checks),
        ),
        claim.none(
            "starts-at-zero",
            "Before training all weights of B are zero.",
            "start.not_zero",
            like=("D-lora-zero",),
        ),
        claim.none(
            "merged-computes-the-same",
            "Merged, the model runs the same operators on the same shapes as before LoRA.",
            "operators.changed",
            like=("D-lora-inference",),
        ),
        claim.above(
            "unmerged-computes-more",
            "As long as they are not merged, the adapters add operators to inference.",
            "operators.unmerged",
            "operators.before",
        ),
        gains(
            "biases-matter",
            "Dropping the biases of the fine-tuned model costs accuracy.",
            "biases",
        ),
        gains(
            "mase-costs",
            "Inserting adapters as MASE does, before they are trained, costs accuracy.",
            "mase",
        ),
    ]
