"""Claims about the linear + ReLU fusion that the lab explains with: part of questions 2a and 2b."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.fusion.linear_relu import prefix, values
from labs.analysis.statistics import Estimate
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUESTIONS = {"cpu": "lab4-2a", "cuda": "lab4-2b"}
DTYPES = ("float32", "bfloat16", "float16")
SMALL = 0.1


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about linear + ReLU on a device, and how each is judged."""
    device, start = record["device"], prefix(record)
    dtypes = record["spec"]["linear_dtypes"] if record["status"] == MEASURED else DTYPES

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{start}.{name}"]

    def rule(
        short: str, words: str, judge: Callable[[Statement], Claim], like: tuple[str, ...] = ()
    ) -> Rule:
        return Rule(Statement(f"{start}.{short}", QUESTIONS[device], device, words, like), judge)

    def of_format(dtype: str) -> list[Rule]:
        return [
            rule(
                f"{dtype}.compiled-faster",
                f"torch.compile makes linear + ReLU faster in {dtype}.",
                lambda s: s.faster(
                    value(f"{dtype}.compiled.speedup"),
                    value(f"{dtype}.noise_floor").estimate.value,
                ),
            ),
            rule(
                f"{dtype}.one-kernel",
                f"torch.compile turns linear + ReLU into a single kernel in {dtype}.",
                lambda s: s.holds(
                    _kernels(found(), f"{start}.{dtype}.compiled"),
                    _kernels(found(), f"{start}.{dtype}.compiled").estimate.value == 1,
                ),
            ),
            rule(
                f"{dtype}.little-to-gain",
                f"ReLU takes less than a tenth of linear + ReLU in {dtype}: fusing gains little.",
                lambda s: s.below(value(f"{dtype}.relu_share"), SMALL),
            ),
        ]

    return [one for dtype in dtypes for one in of_format(dtype)]


def _kernels(found: dict[str, Value], name: str) -> Value:
    """Return how many kernels run a call: those generated and those of libraries."""
    total = sum(found[f"{name}.{kind}"].estimate.value for kind in ("kernels", "library_calls"))
    return Value(Estimate(total, float("nan"), float("nan")), "count")
