"""Claims about what the machine code of the CUDA kernels allows: question 3c."""

from __future__ import annotations

from labs.analysis.mxint8.ceilings import KERNELS, PREFIX, values
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.records.names.mxint8 import CUTE, VECTORISED
from labs.records.record import Record

QUESTION = "lab4-3c"


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the kernels' instructions, and how each is judged."""
    claim = Rules(record, PREFIX, QUESTION, values)
    arms = {fact["arm"] for fact in record["facts"]} if claim.measured else set()
    cute = claim.where_run(not claim.measured or KERNELS[CUTE] in arms, "the lab's kernel")
    return [
        claim.above(
            "vectorised-free",
            "Its instructions leave the vectorised kernel all of the memory's bandwidth.",
            f"{VECTORISED}.headroom",
            1,
        ),
        cute.below(
            "cute-held",
            "Its instructions hold the lab's kernel below the memory's bandwidth.",
            f"{CUTE}.headroom",
            1,
        ),
    ]
