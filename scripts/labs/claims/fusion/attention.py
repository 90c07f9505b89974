"""Claims about fused attention: questions 2a (on the CPU) and 2b (on CUDA)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.fusion.attention import prefix, values
from labs.analysis.statistics import Estimate, verdict
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUESTIONS = {"cpu": "lab4-2a", "cuda": "lab4-2b"}
DTYPES = ("float32", "bfloat16", "float16")
LAB_DTYPE = "float16"
MOST, NEARLY = 0.5, 0.8
FASTER = {
    "cpu": (
        "A-attention-always-faster-cpu",
        "B-attention-cpu-faster",
        "C-attention-cpu-significant",
        "L-attention-lossless-cpu",
    ),
    "cuda": (
        "A-attention-always-faster-cuda",
        "B-attention-cuda-faster",
        "L-attention-lossless-cuda",
    ),
}
"""What was published without naming a number format, and so is claimed of each of them."""


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about attention on a device, and how each is judged."""
    device, start = record["device"], prefix(record)
    measured = record["status"] == MEASURED
    dtypes = record["spec"]["dtypes"] if measured else DTYPES

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{start}.{name}"]

    def floor(name: str) -> float:
        return value(f"{name}.noise_floor").estimate.value

    def rule(
        short: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
        missing: str = "",
    ) -> Rule:
        statement = Statement(f"{start}.{short}", QUESTIONS[device], device, words, like, against)
        return Rule(statement, judge, missing)

    def of_format(dtype: str) -> list[Rule]:
        missing = "" if dtype in dtypes else f"this preset does not run {dtype}"
        return [
            rule(
                f"{dtype}.fused-faster",
                f"At the lab's shape, fused attention is faster than naive in {dtype}.",
                lambda s: s.faster(value(f"{dtype}.fused.speedup"), floor(dtype)),
                like=FASTER[device],
                missing=missing,
            ),
            rule(
                f"{dtype}.fused-faster-when-long",
                f"At the longest sequence, fused attention is faster than naive in {dtype}.",
                lambda s: s.faster(value(f"{dtype}.longest.speedup"), floor(f"{dtype}.longest")),
                like=FASTER[device],
                missing=missing,
            ),
            rule(
                f"{dtype}.less-memory",
                f"At the longest sequence, fused attention needs less memory in {dtype}.",
                lambda s: s.above(_memory_ratio(found(), f"{start}.{dtype}.longest"), 1),
                like=(f"A-attention-no-score-matrix-{device}",),
                missing=missing,
            ),
            rule(
                f"{dtype}.products-dominate",
                f"Naive attention spends most of its time in its matrix products in {dtype}.",
                lambda s: s.above(value(f"{dtype}.products.share"), MOST),
                against=(f"A-attention-bandwidth-bound-{device}",),
                missing=missing,
            ),
            rule(
                f"{dtype}.bandwidth-bound",
                f"Naive attention moves its bytes at nearly the rate of a plain copy in {dtype}.",
                lambda s: s.above(value(f"{dtype}.naive.share_of_copy"), NEARLY),
                like=(f"A-attention-bandwidth-bound-{device}",),
                missing=missing,
            ),
            rule(
                f"{dtype}.compiler-faster",
                f"The naive code, compiled without putting in the fused operator, is faster than "
                f"eager in {dtype}.",
                lambda s: s.faster(
                    value(f"{dtype}.compiled-naive-no-rewrite.speedup"), floor(dtype)
                ),
                missing=missing,
            ),
            rule(
                f"{dtype}.algorithm-gains-more",
                f"Fused attention gains more than the compiler alone does in {dtype}.",
                lambda s: s.faster(value(f"{dtype}.algorithm.speedup"), floor(dtype)),
                like=(f"A-attention-gain-algorithm-{device}",),
                missing=missing,
            ),
        ]

    return [
        *(one for dtype in DTYPES for one in of_format(dtype)),
        rule(
            "dtype-decides",
            "Whether fused attention is faster at the lab's shape depends on the number format.",
            lambda s: _dtype_decides(s, found(), start, dtypes),
            missing="" if len(dtypes) > 1 else "this preset runs one format",
        ),
        rule(
            "compiler-rewrites",
            "torch.compile recognises the naive code and puts the fused operator in its place.",
            lambda s: s.above(_least([value(f"{dtype}.rewrites") for dtype in dtypes]), 0),
            against=(f"A-attention-compiler-keeps-algorithm-{device}",),
        ),
        rule(
            "lab-check-blind",
            "The lab's check, one element of tensors full of ones, passes wrong implementations.",
            lambda s: s.above(value("checks.lab_passed"), 0),
            against=("L-attention-equivalence-cpu",) if device == "cpu" else (),
        ),
        rule(
            "real-check-sees",
            "Comparing whole outputs on random numbers rejects every one of them.",
            lambda s: s.holds(
                value("checks.real_passed"), value("checks.real_passed").estimate.value == 0
            ),
        ),
        rule(
            "amortises",
            "The gain of fused attention grows with the number of calls averaged over.",
            lambda s: s.faster(value("amortisation.speedup"), floor(LAB_DTYPE)),
            like=("D-attention-cuda-amortisation",) if device == "cuda" else (),
            missing="" if LAB_DTYPE in dtypes else f"this preset does not run {LAB_DTYPE}",
        ),
    ]


def _memory_ratio(found: dict[str, Value], name: str) -> Value:
    """Return the naive arm's peak memory over the fused one's."""
    peaks = (found[f"{name}.{arm}.peak"].estimate.value for arm in ("naive", "fused"))
    naive, fused = peaks
    return Value(Estimate(naive / fused, math.nan, math.nan), "ratio")


def _least(values: list[Value]) -> Value:
    return min(values, key=lambda value: value.estimate.value)


def _dtype_decides(
    statement: Statement, found: dict[str, Value], start: str, dtypes: Sequence[str]
) -> Claim:
    """Return the claim: confirmed by a format that gains beside one that loses or stays the same.

    Its estimate is the largest gain over the smallest; an undecided format leaves it undecided,
    unless the others already differ.
    """
    verdicts = {
        verdict(
            found[f"{start}.{dtype}.fused.speedup"].estimate,
            found[f"{start}.{dtype}.noise_floor"].estimate.value,
        )
        for dtype in dtypes
    }
    spread = found[f"{start}.dtype_spread"]
    if len(verdicts - {"undecided"}) > 1:
        return statement.holds(spread, True)
    if "undecided" in verdicts:
        return statement.undecided(spread)
    return statement.holds(spread, False)
