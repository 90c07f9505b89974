"""Claims about eval(), no_grad(), smaller batches and a compiler cache, on torch.compile."""

from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.experiments.compilation.compiler_claims import (
    IN_CORRECTED,
    IN_LAB,
    QUESTIONS,
    compiler_rules,
)
from labs.experiments.compilation.modes import values as modes
from labs.experiments.compilation.names import BERT_TINY, LAB, ONE, SMALL
from labs.records.record import Record

EXPERIMENT = "compilation_modes"

NAMES = {
    SMALL: "ResNet-18 on a smaller batch",
    ONE: "ResNet-18 on one image",
    BERT_TINY: "BERT-tiny",
}
WITHOUT_COMPILER = {
    "modes-speed-up-eager": ("eval() and no_grad() make eager {} faster.", "modes.eager.speedup"),
    "eval-speeds-up-eager": ("eval() alone makes eager {} faster.", "modes.eager.eval.speedup"),
    "no-grad-speeds-up-eager": (
        "no_grad() makes eager {} in eval() mode faster.",
        "modes.eager.no_grad.speedup",
    ),
}
"""What eval() and no_grad() do to a model: claims by name, with their words and speed-ups."""

HALF = 2.0


def rules(record: Record) -> list[Rule]:
    device = record["device"]
    every = Rules(record, "compilation", QUESTIONS[device], modes.values)
    found = []
    for model, name in NAMES.items():
        claim = every.part(f"{model}.{device}")
        found += [
            claim.rule(
                "corrected-faster",
                f"Once compiled, {name} in eval() mode without gradients runs faster than eager.",
                claim.faster(f"{IN_CORRECTED}.speedup"),
            ),
            *(
                claim.rule(short, words.format(name), claim.faster(speedup))
                for short, (words, speedup) in WITHOUT_COMPILER.items()
            ),
            claim.rule(
                "warm-cache-helps",
                f"A compiler cache of an earlier process at least halves the first call of {name}.",
                claim.above("warm_cache.speedup", HALF),
            ),
        ]
    claim = every.part(f"{BERT_TINY}.{device}")
    in_lab = claim.where_run(LAB in every.asked("bert_tiny_modes", [LAB]), LAB)
    return [
        *found,
        in_lab.rule(
            "lab-mode-faster",
            "Once compiled, BERT-tiny in train() mode with gradients runs faster than eager.",
            in_lab.faster(f"{IN_LAB}.speedup"),
        ),
        in_lab.rule(
            "modes-speed-up-compiled",
            "eval() and no_grad() make compiled BERT-tiny faster.",
            in_lab.faster("modes.compiled.speedup"),
        ),
        in_lab.rule(
            "modes-required",
            "Compiling BERT-tiny gains more with eval() and no_grad() than without them.",
            in_lab.faster("modes.gain.speedup"),
        ),
        *compiler_rules(claim, in_lab, NAMES[BERT_TINY], published=False),
    ]
