"""What torch.compile did, on any model: recompilations, graphs, and where the first call went."""

from labs.analysis.frame import slug
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.experiments.compilation.names import CORRECTED, LAB

QUESTIONS = {"cpu": "lab4-1a", "cuda": "lab4-1b"}
IN_LAB, IN_CORRECTED = slug(LAB), slug(CORRECTED)
MOST = 0.5


def compiler_rules(claim: Rules, in_lab: Rules, name: str, *, published: bool) -> list[Rule]:
    """Return the claims about what the compiler did, in the corrected and in the lab's mode.

    What is published is about the lab's model on its batch.
    """
    device = claim.device
    return [
        in_lab.rule(
            "recompiles",
            f"Without eval(), {name} is compiled more than once.",
            in_lab.some(f"{IN_LAB}.recompilations"),
            like=(f"A-compile-eval-recompiles-{device}",) if published else (),
            against=(f"B-compile-no-recompilation-{device}",) if published else (),
        ),
        claim.rule(
            "one-graph",
            f"{name} is captured as a single graph, without a break.",
            claim.holds(
                f"{IN_CORRECTED}.graph_breaks",
                lambda breaks: breaks == 0 and claim.number(f"{IN_CORRECTED}.graphs") == 1,
            ),
        ),
        claim.rule(
            "inductor-dominates",
            f"Most of the first call of {name} is spent in Inductor, which writes the kernels and "
            "has them compiled.",
            claim.above(f"{IN_CORRECTED}.Inductor.share", MOST),
        ),
    ]
