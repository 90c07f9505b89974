"""Claims about full fine-tuning (SFT) and LoRA: question 0.3."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.answers import gains_by_seed
from labs.analysis.frame import Value
from labs.analysis.lora import GAINS, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUESTION = "lab0-3"
TENTH = 0.1


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about SFT and LoRA, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"lora.{name}"]

    def rule(
        short: str, words: str, judge: Callable[[Statement], Claim], like: tuple[str, ...] = ()
    ) -> Rule:
        return Rule(Statement(f"lora.{short}", QUESTION, record["device"], words, like), judge)

    def gains(short: str, words: str, name: str, like: tuple[str, ...] = ()) -> Rule:
        by_seed = cache(lambda: gains_by_seed(record, *GAINS[name]))
        return rule(
            short, words, lambda s: s.positive_in_all(value(f"gain.{name}"), by_seed()), like
        )

    checks = record["checks"] if record["status"] == MEASURED else []
    tolerance = f", {checks[0]['tolerance']:g} of the largest" if checks else ""

    return [
        rule(
            "few-parameters",
            "LoRA trains less than a tenth of the parameters that SFT trains.",
            lambda s: s.below(value("parameters.share"), TENTH),
        ),
        rule(
            "less-memory",
            "Training with LoRA holds less memory at its peak than SFT.",
            lambda s: s.below(value("memory.share"), 1),
            like=("D-lora-memory",),
        ),
        rule(
            "faster",
            "LoRA trains a review in less time than SFT.",
            lambda s: s.faster(value("time.speedup"), value("time.noise_floor").estimate.value),
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
        rule(
            "merge-exact",
            "Merging the adapters into the weights changes no output by more than what rounding is "
            f"granted{tolerance}.",
            lambda s: s.holds(value("merge.error"), all(check["passed"] for check in checks)),
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
