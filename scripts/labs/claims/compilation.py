"""Claims about torch.compile: questions 1a (on the CPU) and 1b (on CUDA)."""

from __future__ import annotations

from labs.analysis.compilation.values import MODELS, Part, parts, values
from labs.analysis.frame import Value, slug
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.records.names.compilation import CORRECTED, LAB
from labs.records.record import Record

QUESTIONS = {"cpu": "lab4-1a", "cuda": "lab4-1b"}
MOST, HALF = 0.5, 2.0


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the models on a device, and how each is judged."""
    claim = Rules(record, "compilation", QUESTIONS[record["device"]], values)
    return [rule for part in parts(record) for rule in _of_model(claim, part)]


def _of_model(claim: Rules, part: Part) -> list[Rule]:
    device, model = part.record["device"], MODELS[part.model]
    run = part.modes if claim.measured else [LAB, CORRECTED]
    always = claim.part(f"{part.model}.{device}")

    def where(*modes: str) -> Rules:
        lacking = [mode for mode in modes if mode not in run]
        return always.where_run(not lacking, " and ".join(lacking))

    in_lab, in_corrected, in_both = where(LAB), where(CORRECTED), where(LAB, CORRECTED)
    lab, corrected = slug(LAB), slug(CORRECTED)
    return [
        in_lab.rule(
            "lab-code-slower",
            f"In the lab's own code, averaged over its few iterations, compiled {model} is slower "
            "than eager.",
            lambda s: s.faster(
                _inverse(in_lab.value(f"{lab}.few.speedup")), in_lab.number("noise_floor")
            ),
            like=("L-compile-slower-cpu",) if device == "cpu" else (),
        ),
        in_lab.faster(
            "lab-mode-faster",
            f"Once compiled, {model} in train() mode with gradients runs faster than eager.",
            f"{lab}.speedup",
            like=(f"B-compile-later-faster-{device}",),
        ),
        in_corrected.faster(
            "corrected-faster",
            f"Once compiled, {model} in eval() mode without gradients runs faster than eager.",
            f"{corrected}.speedup",
            like=(f"A-compile-steady-state-{device}", f"B-compile-later-faster-{device}"),
        ),
        in_corrected.faster(
            "pays-back",
            f"Within the iterations run, compiling the corrected {model} pays for itself.",
            f"{corrected}.many.speedup",
        ),
        always.faster(
            "modes-speed-up-eager",
            f"eval() and no_grad() make eager {model} faster.",
            "modes.eager.speedup",
        ),
        always.faster(
            "eval-speeds-up-eager",
            f"eval() alone makes eager {model} faster.",
            "modes.eager.eval.speedup",
        ),
        always.faster(
            "no-grad-speeds-up-eager",
            f"no_grad() makes eager {model} in eval() mode faster.",
            "modes.eager.no_grad.speedup",
            like=(f"A-compile-grad-cost-{device}",),
        ),
        in_both.faster(
            "modes-speed-up-compiled",
            f"eval() and no_grad() make compiled {model} faster.",
            "modes.compiled.speedup",
        ),
        in_both.faster(
            "modes-required",
            f"Compiling {model} gains more with eval() and no_grad() than without them.",
            "modes.gain.speedup",
            like=(f"A-compile-modes-required-{device}",),
        ),
        in_lab.some(
            "recompiles",
            f"Without eval(), {model} is compiled more than once.",
            f"{lab}.recompilations",
            like=(f"A-compile-eval-recompiles-{device}",),
            against=(f"B-compile-no-recompilation-{device}",),
        ),
        in_corrected.holds(
            "one-graph",
            f"{model} is captured as a single graph, without a break.",
            f"{corrected}.graph_breaks",
            lambda breaks: breaks == 0 and always.number(f"{corrected}.graphs") == 1,
        ),
        in_corrected.above(
            "inductor-dominates",
            f"Most of the first call of {model} is spent in Inductor, which writes the kernels and "
            "has them compiled.",
            f"{corrected}.Inductor.share",
            MOST,
        ),
        always.above(
            "warm-cache-helps",
            f"A compiler cache of an earlier process at least halves the first call of {model}.",
            "warm_cache.speedup",
            HALF,
        ),
    ]


def _inverse(value: Value) -> Value:
    """Return a slow-down from a speed-up."""
    return Value(value.estimate.inverse(), value.unit)
