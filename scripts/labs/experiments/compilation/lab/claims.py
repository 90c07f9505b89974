"""Claims about the lab's loop, ResNet-18 on its batch, on the CPU (1a) and on CUDA (1b)."""

from labs.analysis.frame import Value
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.experiments.compilation.compiler_claims import (
    IN_CORRECTED,
    IN_LAB,
    QUESTIONS,
    compiler_rules,
)
from labs.experiments.compilation.lab import values as lab
from labs.experiments.compilation.names import RESNET18
from labs.records.record import Record

EXPERIMENT = "compilation"

SHORT_RUNS = {
    "cpu": ("C-compile-cpu-short-runs", "D-compile-cpu-overhead"),
    "cuda": ("C-compile-cuda-amortisation",),
}
"""Who published that a few iterations do not pay for the compilation."""


def rules(record: Record) -> list[Rule]:
    device = record["device"]
    every = Rules(record, "compilation", QUESTIONS[device], lab.values)
    claim = every.part(f"{RESNET18}.{device}").at("compilation", "batch_size", "image_size")
    return [
        claim.rule(
            "lab-code-slower",
            "In the lab's own code, averaged over its few iterations, compiled ResNet-18 is slower "
            "than eager.",
            lambda s: s.faster(
                Value(claim.value(f"{IN_LAB}.few.speedup").estimate.inverse(), "ratio"),
                claim.number("noise_floor"),
            ),
            like=("L-compile-slower-cpu",) if device == "cpu" else (),
        ),
        claim.rule(
            "lab-mode-faster",
            "Once compiled, ResNet-18 in train() mode with gradients runs faster than eager.",
            claim.faster(f"{IN_LAB}.speedup"),
            like=(f"B-compile-later-faster-{device}",),
        ),
        claim.rule(
            "corrected-faster",
            "Once compiled, ResNet-18 in eval() mode without gradients runs faster than eager.",
            claim.faster(f"{IN_CORRECTED}.speedup"),
            like=(f"A-compile-steady-state-{device}", f"B-compile-later-faster-{device}"),
        ),
        claim.rule(
            "few-pay",
            "Over as few iterations as the lab's, compiling the corrected ResNet-18 pays.",
            claim.faster(f"{IN_CORRECTED}.few.speedup"),
            against=(f"A-compile-first-iterations-{device}", *SHORT_RUNS[device]),
        ),
        claim.rule(
            "pays-back",
            "Over the most iterations asked about, compiling the corrected ResNet-18 pays.",
            claim.faster(f"{IN_CORRECTED}.many.speedup"),
            like=(f"B-compile-break-even-{device}",),
        ),
        claim.rule(
            "modes-speed-up-eager",
            "eval() and no_grad() make eager ResNet-18 faster.",
            claim.faster("modes.eager.speedup"),
        ),
        claim.rule(
            "modes-speed-up-compiled",
            "eval() and no_grad() make compiled ResNet-18 faster.",
            claim.faster("modes.compiled.speedup"),
        ),
        claim.rule(
            "modes-required",
            "Compiling ResNet-18 gains more with eval() and no_grad() than without them.",
            claim.faster("modes.gain.speedup"),
            like=(f"A-compile-modes-required-{device}",),
        ),
        *compiler_rules(claim, claim, "ResNet-18", published=True),
    ]
