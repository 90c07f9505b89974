"""Claims about the lab's loop, ResNet-18 on its batch, on the CPU (1a) and on CUDA (1b)."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.compilation.compiler_claims import (
    FASTER,
    OF_ONE_CALL,
    QUESTIONS,
    compiler_rules,
    speedup_rules,
)
from labs.experiments.compilation.names import CORRECTED, LAB, RESNET18
from labs.records.quantity import Quantity
from labs.records.record import Record

EXPERIMENT = "compilation"

SHORT_RUNS = {
    "cpu": ("C-compile-cpu-short-runs", "D-compile-cpu-overhead"),
    "cuda": ("C-compile-cuda-amortisation",),
}
"""Who published that a few iterations do not pay for the compilation."""


def rules(record: Record, values: Values) -> list[Rule]:
    device = record["device"]
    claim = Rules(record, values, f"compilation.{RESNET18}.{device}", QUESTIONS[device])
    claim = claim.at("compilation", "batch_size", "image_size")
    faster = [name for name in FASTER if name not in OF_ONE_CALL]
    return [
        claim.rule(
            "lab-code-slower",
            "In the lab's own code, averaged over its few iterations, compiled ResNet-18 is slower "
            "than eager.",
            lambda s: s.faster(
                Quantity.of(claim.value(f"{LAB}.few.speedup").inverse(), "ratio"),
                claim.number("noise_floor"),
            ),
            like=("L-compile-slower-cpu",) if device == "cpu" else (),
        ),
        claim.rule(
            "few-pay",
            "Over as few iterations as the lab's, compiling the corrected ResNet-18 pays.",
            claim.faster(f"{CORRECTED}.few.speedup"),
            against=(f"A-compile-first-iterations-{device}", *SHORT_RUNS[device]),
        ),
        claim.rule(
            "pays-back",
            "Over the most iterations asked about, compiling the corrected ResNet-18 pays.",
            claim.faster(f"{CORRECTED}.many.speedup"),
            like=(f"B-compile-break-even-{device}",),
        ),
        *speedup_rules(claim, "ResNet-18", *faster, published=True),
        *compiler_rules(claim, claim, "ResNet-18", published=True),
    ]
