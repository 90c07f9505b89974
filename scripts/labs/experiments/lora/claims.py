"""Claims about full fine-tuning (SFT) and LoRA: question 0.3."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "lora"

QUESTION = "lab0-3"
TENTH = 0.1


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "lora", QUESTION).at("lora", "layers")
    training = claim.at("", "max_length").at("lora", "batch_size")
    trained = training.at("lora", "reviews", "sft_learning_rate")

    granted = "what rounding is granted"
    if "lora.merge.tolerance" in values:
        granted += f", {claim.number('merge.tolerance'):g} of the largest"
    return [
        claim.rule(
            "few-parameters",
            "LoRA trains at most a tenth of the parameters that SFT trains.",
            claim.at_most("parameters.share", TENTH),
        ),
        training.rule(
            "less-memory",
            "Training with LoRA holds less memory at its peak than SFT.",
            training.holds("memory.share", lambda share: share < 1),
            like=("D-lora-memory",),
        ),
        training.rule(
            "faster",
            "LoRA trains a review in less time than SFT.",
            training.faster("time.speedup", "time.noise_floor"),
        ),
        trained.rule(
            "sft-more-accurate",
            "After one epoch from the same start, SFT is more accurate than LoRA.",
            trained.superior("gain.sft_over_lora"),
        ),
        trained.rule(
            "second-epoch-gains",
            "An epoch of LoRA on the model that SFT left makes it more accurate.",
            trained.superior("gain.second_epoch_lora"),
            like=("L-lora-accuracy",),
        ),
        trained.rule(
            "beats-second-sft",
            "An epoch of LoRA on the model that SFT left gains more than a second epoch of SFT.",
            trained.superior("gain.lora_over_sft"),
        ),
        claim.rule(
            "merge-exact",
            f"Merging the adapters into the weights changes no output by more than {granted}.",
            claim.at_most("merge.error", "merge.tolerance"),
        ),
        claim.rule(
            "starts-at-zero",
            "Before training all weights of B are zero.",
            claim.counts_none("start.not_zero"),
            like=("D-lora-zero",),
        ),
        claim.rule(
            "merged-computes-the-same",
            "Merged, the model runs the same operators on the same shapes as before LoRA.",
            claim.counts_none("operators.changed"),
            like=("D-lora-inference",),
        ),
        claim.rule(
            "unmerged-computes-more",
            "As long as they are not merged, the adapters add operators to inference.",
            claim.exceeds("operators.unmerged", "operators.before"),
        ),
        trained.rule(
            "biases-matter",
            "Dropping the biases of the fine-tuned model costs accuracy.",
            trained.superior("gain.biases"),
        ),
        trained.rule(
            "mase-costs",
            "Inserting adapters as MASE does, before they are trained, costs accuracy.",
            trained.superior("gain.mase"),
        ),
    ]
