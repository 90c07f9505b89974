"""Claims about torch.compile on any model: where it is faster, its graphs, and its first call."""

from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.compilation.names import CORRECTED, LAB

QUESTIONS = {"cpu": "lab4-1a", "cuda": "lab4-1b"}
MOST = 0.5
FASTER = {
    "lab-mode-faster": (
        "Once compiled, {} in train() mode with gradients runs faster than eager.",
        f"{LAB}.speedup",
    ),
    "corrected-faster": (
        "Once compiled, {} in eval() mode without gradients runs faster than eager.",
        f"{CORRECTED}.speedup",
    ),
    "modes-speed-up-eager": ("eval() and no_grad() make eager {} faster.", "modes.eager.speedup"),
    "eval-speeds-up-eager": ("eval() alone makes eager {} faster.", "modes.eager.eval.speedup"),
    "no-grad-speeds-up-eager": (
        "no_grad() makes eager {} in eval() mode faster.",
        "modes.eager.no_grad.speedup",
    ),
    "modes-speed-up-compiled": (
        "eval() and no_grad() make compiled {} faster.",
        "modes.compiled.speedup",
    ),
    "modes-required": (
        "Compiling {} gains more with eval() and no_grad() than without them.",
        "modes.gain.speedup",
    ),
}
"""Claims that something is faster, by name: what they say of a model, and the speed-up."""
OF_ONE_CALL = ("eval-speeds-up-eager", "no-grad-speeds-up-eager")
IF_COMPILED_IN_LAB = ("lab-mode-faster", "modes-speed-up-compiled", "modes-required")
"""Those about a model that is compiled in the lab's mode as well as in the corrected one."""
PUBLISHED = {
    "lab-mode-faster": ("B-compile-later-faster",),
    "corrected-faster": ("A-compile-steady-state", "B-compile-later-faster"),
    "modes-required": ("A-compile-modes-required",),
}
"""The published statements that say the same of the lab's model on its batch, but for a device."""


def speedup_rules(claim: Rules, model: str, *names: str, published: bool) -> list[Rule]:
    """Return those of the claims of FASTER that have these names, about a model."""
    rules = []
    for name in names:
        words, speedup = FASTER[name]
        statements = PUBLISHED.get(name, ()) if published else ()
        like = tuple(f"{statement}-{claim.device}" for statement in statements)
        rules.append(claim.rule(name, words.format(model), claim.faster(speedup), like=like))
    return rules


def compiler_rules(claim: Rules, in_lab: Rules, model: str, *, published: bool) -> list[Rule]:
    """Return the claims about what the compiler did, in the corrected and in the lab's mode.

    What is published is about the lab's model on its batch.
    """
    device = claim.device
    return [
        in_lab.rule(
            "recompiles",
            f"Without eval(), {model} is compiled more than once.",
            in_lab.counts_any(f"{LAB}.recompilations"),
            like=(f"A-compile-eval-recompiles-{device}",) if published else (),
            against=(f"B-compile-no-recompilation-{device}",) if published else (),
        ),
        claim.rule(
            "one-graph",
            f"{model} is captured as a single graph, without a break.",
            claim.counts_none(f"{CORRECTED}.beyond_one_graph"),
        ),
        claim.rule(
            "inductor-dominates",
            f"Most of the first call of {model} is spent in Inductor, which writes the kernels and "
            "has them compiled.",
            claim.exceeds(f"{CORRECTED}.Inductor.share", MOST),
        ),
    ]
