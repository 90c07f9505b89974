"""Claims about the speed of compressed models: questions 1.1 and 1.2."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.compression.speed import values
from labs.analysis.frame import Value
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUANTIZATION, PRUNING = "lab1-1", "lab1-2"
AFFORDABLE = 1.25
"""What a fake-quantized training step may cost, over one in float32."""

HIDDEN, SPARSITIES = (128, 512), (0.5, 0.9)
"""The sizes that are asked for: of BERT-tiny and of the largest model of Lab 2; and sparsities."""


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about compressed models' speed, and how each is judged."""
    spec = record["spec"] if record["status"] == MEASURED else {}

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"compression_speed.{name}"]

    def rule(
        short: str,
        question: str,
        words: str,
        judge: Callable[[Statement], Claim],
        there: bool,
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
    ) -> Rule:
        statement = Statement(
            f"compression_speed.{short}", question, record["device"], words, like, against
        )
        return Rule(statement, judge, "" if there else "this preset does not run it")

    def of_step(hidden: int) -> Rule:
        return rule(
            f"step{hidden}.affordable",
            QUANTIZATION,
            f"A fake-quantized training step takes at most {AFFORDABLE} times as long as one in "
            f"float32, at hidden size {hidden}.",
            lambda s: s.below(value(f"step{hidden}.fake-quantized.slowdown"), AFFORDABLE),
            hidden in spec.get("hidden_sizes", HIDDEN),
        )

    def of_sparsity(sparsity: float) -> list[Rule]:
        there = sparsity in spec.get("sparsities", SPARSITIES)
        part, words = f"s{100 * sparsity:.0f}", f"at sparsity {sparsity}"

        def faster(way: str) -> Callable[[Statement], Claim]:
            return lambda s: s.faster(
                value(f"{way}.{part}.speedup"), value("noise_floor").estimate.value
            )

        return [
            rule(
                f"zeros.{part}.faster",
                PRUNING,
                f"Zeros among the weights make the model faster, {words}.",
                faster("zeros"),
                there,
                against=("D-unstructured-no-speedup",),
            ),
            rule(
                f"zeros-skipped.{part}.faster",
                PRUNING,
                f"Weights stored without their zeros make the model faster, {words}.",
                faster("zeros-skipped"),
                there,
            ),
            rule(
                f"smaller.{part}.faster",
                PRUNING,
                f"Removing whole heads and neurons, up to that share, makes the model faster, "
                f"{words}.",
                faster("smaller"),
                there,
                like=("D-structured-speedup",),
            ),
        ]

    return [
        *(of_step(hidden) for hidden in HIDDEN),
        *(one for sparsity in SPARSITIES for one in of_sparsity(sparsity)),
    ]
