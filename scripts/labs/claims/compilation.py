"""Claims about torch.compile: questions 1a (on the CPU) and 1b (on CUDA)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.compilation import CORRECTED, LAB, MODELS, Part, part_values, parts
from labs.analysis.frame import Value, slug
from labs.analysis.statistics import Estimate
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUESTIONS = {"cpu": "lab4-1a", "cuda": "lab4-1b"}
MOST, HALF = 0.5, 2.0


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the models on a device, and how each is judged."""
    return [rule for part in parts(record) for rule in _rules(part)]


def _rules(part: Part) -> list[Rule]:
    device, model = part.record["device"], MODELS[part.model]
    run = part.modes if part.record["status"] == MEASURED else [LAB, CORRECTED]

    @cache
    def found() -> dict[str, Value]:
        return part_values(part)

    def value(name: str) -> Value:
        return found()[f"{part.prefix}.{name}"]

    def floor() -> float:
        return value("noise_floor").estimate.value

    def rule(
        short: str,
        words: str,
        modes: tuple[str, ...],
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        lacking = [mode for mode in modes if mode not in run]
        missing = f"this preset does not run {' and '.join(lacking)}" if lacking else ""
        published = (tuple(f"{name}-{device}" for name in names) for names in (like, against))
        statement = Statement(
            f"{part.prefix}.{short}", QUESTIONS[device], device, words, *published
        )
        return Rule(statement, judge, missing)

    return [
        rule(
            "lab-code-slower",
            f"In the lab's own code, averaged over its few iterations, compiled {model} is slower "
            "than eager.",
            (LAB,),
            lambda s: s.faster(_inverse(value(f"{slug(LAB)}.few.speedup")), floor()),
            like=("L-compile-slower",) if device == "cpu" else (),
        ),
        rule(
            "lab-mode-faster",
            f"Once compiled, {model} in train() mode with gradients runs faster than eager.",
            (LAB,),
            lambda s: s.faster(value(f"{slug(LAB)}.speedup"), floor()),
            like=("B-compile-later-faster",),
        ),
        rule(
            "corrected-faster",
            f"Once compiled, {model} in eval() mode without gradients runs faster than eager.",
            (CORRECTED,),
            lambda s: s.faster(value(f"{slug(CORRECTED)}.speedup"), floor()),
            like=("A-compile-steady-state", "B-compile-later-faster"),
        ),
        rule(
            "pays-back",
            f"Within the iterations run, compiling the corrected {model} pays for itself.",
            (CORRECTED,),
            lambda s: s.faster(value(f"{slug(CORRECTED)}.many.speedup"), floor()),
        ),
        rule(
            "modes-speed-up-eager",
            f"eval() and no_grad() make eager {model} faster.",
            (),
            lambda s: s.faster(value("modes.eager.speedup"), floor()),
        ),
        rule(
            "eval-speeds-up-eager",
            f"eval() alone makes eager {model} faster.",
            (),
            lambda s: s.faster(value("modes.eager.eval.speedup"), floor()),
        ),
        rule(
            "no-grad-speeds-up-eager",
            f"no_grad() makes eager {model} in eval() mode faster.",
            (),
            lambda s: s.faster(value("modes.eager.no_grad.speedup"), floor()),
            like=("A-compile-grad-cost",),
        ),
        rule(
            "modes-speed-up-compiled",
            f"eval() and no_grad() make compiled {model} faster.",
            (LAB, CORRECTED),
            lambda s: s.faster(value("modes.compiled.speedup"), floor()),
        ),
        rule(
            "modes-required",
            f"Compiling {model} gains more with eval() and no_grad() than without them.",
            (LAB, CORRECTED),
            lambda s: s.faster(value("modes.gain.speedup"), floor()),
            like=("A-compile-modes-required",),
        ),
        rule(
            "recompiles",
            f"Without eval(), {model} is compiled more than once.",
            (LAB,),
            lambda s: s.above(value(f"{slug(LAB)}.recompilations"), 0),
            like=("A-compile-eval-recompiles",),
            against=("B-compile-no-recompilation",),
        ),
        rule(
            "one-graph",
            f"{model} is captured as a single graph, without a break.",
            (CORRECTED,),
            lambda s: s.holds(
                value(f"{slug(CORRECTED)}.graph_breaks"),
                value(f"{slug(CORRECTED)}.graphs").estimate.value == 1
                and value(f"{slug(CORRECTED)}.graph_breaks").estimate.value == 0,
            ),
        ),
        rule(
            "inductor-dominates",
            f"Most of the first call of {model} is spent in Inductor, which writes the kernels and "
            "has them compiled.",
            (CORRECTED,),
            lambda s: s.above(value(f"{slug(CORRECTED)}.Inductor.share"), MOST),
        ),
        rule(
            "warm-cache-helps",
            f"A compiler cache of an earlier process at least halves the first call of {model}.",
            (),
            lambda s: s.above(value("warm_cache.speedup"), HALF),
        ),
    ]


def _inverse(value: Value) -> Value:
    """Return a slow-down from a speed-up."""
    speedup = value.estimate
    return Value(Estimate(1 / speedup.value, 1 / speedup.high, 1 / speedup.low), value.unit)
