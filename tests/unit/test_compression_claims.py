"""Verdicts about compressed models follow how far seeds scatter, and families of comparisons."""

from typing import Any

import numpy as np
import pytest

from labs.claims.claim import Claim
from labs.claims.judge import claims_of
from labs.experiments.compression.quantization import values as quantization
from labs.experiments.compression.quantization.names import PTQ, QAT
from labs.records.answers import pack
from tests.unit import kept
from tests.unit.kept import fact

EIGHT = {"arm": QAT, "curve": "widths", "format": "8:4"}


def judged(record: dict[str, Any]) -> dict[str, Claim]:
    return {claim.id: claim for claim in claims_of(record)}


def test_seeds_that_scatter_leave_a_way_to_train_undecided() -> None:
    """A mean above float32's is not enough where another seed could say otherwise."""
    agreeing = kept.answered("quantization", 1.0, **EIGHT)
    divided = kept.answer(kept.answered("quantization", 1.0, **EIGHT), 0.4, process=0, **EIGHT)
    name = "quantization.qat-beats-float32"
    assert judged(agreeing)[name].verdict == "confirmed"
    assert judged(divided)[name].verdict == "undecided"


def test_l1_and_random_pruning_are_compared_as_a_family() -> None:
    """At three tenths the interval alone would confirm; among all sparsities it does not."""
    found = judged(kept.record("pruning"))
    claim = found["pruning.untrained.s30.l1-beats-random"]
    assert claim.interval is not None and claim.interval[0] > 0
    assert claim.verdict == "undecided"
    assert found["pruning.untrained.s90.l1-beats-random"].verdict == "confirmed"


@pytest.mark.parametrize(
    ("lacking", "claim"),
    [
        ({"format": "4:2"}, "ptq-four-fails"),
        ({"curve": "epochs", "epochs": 1}, "one-epoch-suffices"),
    ],
)
def test_what_a_preset_does_not_run_is_not_measured(lacking: dict[str, Any], claim: str) -> None:
    record = kept.record("quantization")
    gone = kept.matching(record, "facts", lacking)
    record["facts"] = [row for row in record["facts"] if row not in gone]
    found = judged(record)
    assert found[f"quantization.{claim}"].verdict == "not measured"
    assert found["quantization.ptq-eight-suffices"].verdict == "confirmed"


def test_gains_are_paired_by_review() -> None:
    """Two models that are right about the same reviews do not differ, whatever the sample."""
    record = kept.record("quantization")
    of_ptq = {"name": "correct", "arm": PTQ, "curve": "widths", "split": "validation"}
    (float32,) = kept.matching(record, "facts", {**of_ptq, "format": "float32"})
    (eight,) = kept.matching(record, "facts", {**of_ptq, "format": "8:4"})
    eight["value"] = float32["value"]
    loss = quantization.values(record)["quantization.PTQ.w8.loss"].estimate
    assert loss.value == 0 and loss.high < 0.005


def test_the_best_of_several_is_judged_on_reviews_that_did_not_choose_it() -> None:
    """A point that is right on every other review seems the best, and is not."""
    right = {"lucky": [True, False] * 50, "other": [True, True, False, False] * 25}
    facts = [
        fact(0, "correct", pack(np.array(right[name])), "text", QAT, split="validation", point=name)
        for name in right
    ]
    lucky, other = {"point": "lucky"}, {"point": "other"}
    record = {"facts": facts}
    best, lead = quantization.best_against(record, [lucky, other], other)
    assert best == lucky
    assert lead.estimate.value == pytest.approx(-0.5)
