"""Claims about the speed of the decoding kernels: question 3c."""

from __future__ import annotations

from functools import cache

from labs.analysis.frame import Value
from labs.analysis.mxint8.kernels import prefix, values
from labs.claims.claim import Rule, Statement
from labs.records.record import Record

QUESTION = "lab4-3c"
NEARLY = 0.9


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the kernels, and how each is judged."""
    device, start = record["device"], prefix(record)
    best = "vectorised" if device == "cuda" else "mxint_cuda"

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{start}.{name}"]

    def statement(short: str, words: str) -> Statement:
        return Statement(f"{start}.{short}", QUESTION, device, words)

    near = Rule(
        statement(
            "near-copy",
            "At every group size, decoding moves its bytes at nine tenths of the rate of a plain "
            "copy or more.",
        ),
        lambda s: s.above(value(f"{best}.worst"), NEARLY),
    )
    if device != "cuda":
        return [near]
    faster = Rule(
        statement(
            "vectorised-faster",
            "At the lab's group size, the vectorised kernel is faster than the lab's CuTe kernel.",
        ),
        lambda s: s.faster(value("vectorised.over_cute"), value("noise_floor").estimate.value),
    )
    return [near, faster]
