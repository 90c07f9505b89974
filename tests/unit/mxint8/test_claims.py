"""Claims of question 3 follow the records, and flip when the records do."""

from __future__ import annotations

from typing import Any

import pytest

from labs.claims.claim import Claim
from labs.claims.judge import claims_of
from tests.unit.mxint8 import synthetic

BOTH = "MXINT8 weights and activations"


def judged(record: dict[str, Any]) -> dict[str, Claim]:
    """The claims of a record by their ids."""
    return {claim.id: claim for claim in claims_of(record)}


@pytest.mark.parametrize(
    ("name", "record", "verdict"),
    [
        ("formulas.cpu.bit-decides", synthetic.formulas(), "confirmed"),
        ("formulas.cpu.bit-decides", synthetic.formulas(bias=0.5), "refuted"),
        ("formulas.cpu.one-line", synthetic.formulas(), "confirmed"),
        ("formulas.cpu.one-line", synthetic.formulas(bias=0.5), "refuted"),
        ("formulas.cpu.bias-smallest", synthetic.formulas(), "refuted"),
        ("formulas.cpu.bias-smallest", synthetic.formulas(bias=1 / 64), "confirmed"),
        ("formulas.cpu.formula-exact", synthetic.formulas(), "refuted"),
        ("formulas.cpu.causes-known", synthetic.formulas(wrong=0), "confirmed"),
        ("formulas.cpu.causes-known", synthetic.formulas(wrong=1), "refuted"),
        ("formulas.cpu.ceil-worse", synthetic.formulas(worse=2.0), "confirmed"),
        ("formulas.cpu.ceil-worse", synthetic.formulas(worse=0.5), "refuted"),
        ("linear.cpu.few.both-faster", synthetic.linear({BOTH: 4.0}), "confirmed"),
        ("linear.cpu.few.both-faster", synthetic.linear({BOTH: 0.5}), "refuted"),
        ("linear.cpu.few.both-over-weights", synthetic.linear({BOTH: 4.0}), "confirmed"),
        ("linear.cpu.few.both-over-weights", synthetic.linear(), "no difference"),
        ("linear.cpu.few.memory-bound", synthetic.linear(seconds=0.001), "confirmed"),
        ("linear.cpu.few.memory-bound", synthetic.linear(seconds=1.0), "refuted"),
        ("linear.cpu.integers", synthetic.linear(), "confirmed"),
        ("linear.cpu.energy-arithmetic", synthetic.linear(), "confirmed"),
        ("linear.cpu.energy-bytes", synthetic.linear(), "confirmed"),
        ("memory.cpu.deberta-xlarge.saves-as-sheet", synthetic.memory(), "refuted"),
        (
            "memory.cpu.deberta-xlarge.embeddings-lose-most",
            synthetic.memory(embeddings=10),
            "refuted",
        ),
        ("memory.cpu.deberta-xlarge.saves-half", synthetic.memory(), "confirmed"),
        ("memory.cpu.deberta-xlarge.saves-half", synthetic.memory(weights=3_200), "refuted"),
        ("memory.cpu.deberta-xlarge.loop-holds-both", synthetic.memory(), "confirmed"),
        ("memory.cpu.deberta-xlarge.loop-holds-both", synthetic.memory(loop=0.9), "refuted"),
        ("memory.cpu.deberta-v3-small.saves-half", synthetic.memory(), "not measured"),
        ("kernels.cpu.near-copy", synthetic.kernels(0.95), "confirmed"),
        ("kernels.cpu.near-copy", synthetic.kernels(0.5), "refuted"),
        ("kernels.cpu.faster-than-naive", synthetic.kernels(), "confirmed"),
        ("kernels.cpu.faster-than-naive", synthetic.kernels(naive=0.9), "refuted"),
        ("partition.each-once", synthetic.partition(), "confirmed"),
        ("partition.down-columns", synthetic.partition(), "confirmed"),
        ("partition.down-columns", synthetic.partition(down=False), "refuted"),
        ("partition.warp-one-scale", synthetic.partition(rows=32, columns=2), "confirmed"),
        ("partition.warp-one-scale", synthetic.partition(), "refuted"),
        ("accuracy.both.accuracy-kept", synthetic.accuracy(0), "confirmed"),
        ("accuracy.both.accuracy-kept", synthetic.accuracy(8), "confirmed"),
        ("accuracy.both.accuracy-kept", synthetic.accuracy(20), "refuted"),
        ("accuracy.both.predictions-kept", synthetic.accuracy(0), "confirmed"),
        ("accuracy.both.predictions-kept", synthetic.accuracy(1), "refuted"),
    ],
)
def test_a_verdict_follows_the_record(name: str, record: dict[str, Any], verdict: str) -> None:
    assert judged(record)[f"mxint8_{name}"].verdict == verdict


def test_claims_speak_against_what_was_published() -> None:
    records = [*synthetic.everything().values(), synthetic.linear({BOTH: 0.5})]
    named = {
        name
        for record in records
        for claim in judged(record).values()
        for name in claim.speaks_against
    }
    assert {
        "C-bias-normalizes",
        "C-mxint-four-bits",
        "D-memory-encoder",
        "C-threads-of-tile",
    } <= named
