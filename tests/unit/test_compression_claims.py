"""Verdicts about compressed models follow the data, and how far seeds scatter."""

from typing import Any

import numpy as np
import pytest

from labs.analysis.compression import quantization
from labs.analysis.tables import ANALYSES
from labs.claims.judge import claims_of
from labs.records import record as records
from labs.records.answers import pack
from labs.records.names.quantization import QAT
from tests.unit import synthetic_compression as synthetic
from tests.unit.synthetic import fact

RECORDS = [
    synthetic.quantization(),
    synthetic.pruning(),
    synthetic.ranges(),
    synthetic.formats(),
    synthetic.compression_speed(),
]
IDS = [record["experiment"] for record in RECORDS]


def verdicts(record: dict[str, Any]) -> dict[str, str]:
    """The verdict of each claim by its id."""
    return {claim.id: claim.verdict for claim in claims_of(record)}


@pytest.mark.parametrize(
    ("record", "claim", "verdict"),
    [
        (synthetic.quantization(), "ptq-eight-suffices", "confirmed"),
        (synthetic.quantization(ptq={"8:4": 0.7}), "ptq-eight-suffices", "refuted"),
        (synthetic.quantization(ptq={"8:4": 0.82}), "ptq-eight-suffices", "refuted"),
        (synthetic.quantization(), "ptq-four-fails", "confirmed"),
        (synthetic.quantization(ptq={"8:4": 0.83}), "ptq-four-fails", "no difference"),
        (synthetic.quantization(), "knee", "confirmed"),
        (synthetic.quantization(ptq={"8:4": 0.7, "4:2": 0.5}), "knee", "refuted"),
        (synthetic.quantization(ptq={"4:2": 0.83}), "knee", "refuted"),
        (synthetic.quantization(ptq={"8:4": 0.82, "4:2": 0.5}), "knee", "refuted"),
        (synthetic.quantization(), "four-silences", "confirmed"),
        (synthetic.quantization(), "qat-recovers-four", "no difference"),
        (synthetic.quantization(qat={"4:2": 0.7}), "qat-recovers-four", "confirmed"),
        (synthetic.quantization(qat={"4:2": 0.4}), "qat-recovers-four", "refuted"),
        (synthetic.quantization(qat={"8:4": 0.9}), "qat-beats-float32", "confirmed"),
        (synthetic.quantization(trained=0.9), "qat-beats-control", "no difference"),
        (synthetic.quantization(qat={"8:4": 0.9}), "qat-beats-control", "confirmed"),
        (synthetic.quantization(), "rate", "confirmed"),
        (synthetic.quantization(rates={0.001: 0.7, 0.003: 0.8}), "rate", "refuted"),
        (synthetic.quantization(), "five-integer-bits-suffice", "confirmed"),
        (synthetic.quantization(), "five-integer-bits-needed", "no difference"),
        (synthetic.quantization(ptq={"7:4": 0.6}), "five-integer-bits-needed", "confirmed"),
        (synthetic.quantization(ptq={"8:3": 0.6}), "three-fractional-bits-recovered", "confirmed"),
        (synthetic.quantization(), "two-integer-bits-as-seven", "confirmed"),
        (synthetic.quantization(qat={"6:4": 0.7}), "two-integer-bits-as-seven", "refuted"),
        (synthetic.quantization(), "advised-format-suffices", "confirmed"),
        (synthetic.quantization(qat={"8:5": 0.7}), "advised-format-suffices", "refuted"),
        (synthetic.quantization(qat={"8:4": 0.9}), "advised-as-good-as-half", "refuted"),
        (synthetic.quantization(), "overfits", "confirmed"),
        (synthetic.quantization(epochs={1: 0.8, 4: 0.84}), "overfits", "refuted"),
        (synthetic.quantization(epochs={1: 0.8, 2: 0.84, 4: 0.84}), "overfits", "no difference"),
        (synthetic.quantization(epochs={4: 0.84}), "overfits", "not measured"),
        (synthetic.quantization(epochs={1: 0.8, 4: 0.84}), "one-epoch-suffices", "refuted"),
        (synthetic.quantization(epochs={1: 0.84, 4: 0.8}), "one-epoch-suffices", "confirmed"),
        (synthetic.quantization(epochs={1: 0.84}), "one-epoch-suffices", "not measured"),
        (synthetic.quantization(rates={0.001: 0.7}), "rate", "not measured"),
        (synthetic.pruning(), "untrained.s50.l1-beats-random", "confirmed"),
        (synthetic.pruning({"random": 0.82}), "untrained.s90.l1-beats-random", "refuted"),
        (synthetic.pruning(), "trained.s90.l1-beats-random", "confirmed"),
        (synthetic.pruning(trained={"random": 0.83}), "trained.s90.l1-beats-random", "refuted"),
        (synthetic.pruning({"l1": 0.83}), "half-for-free", "confirmed"),
        (synthetic.pruning({"l1": 0.5}), "half-for-free", "refuted"),
        (synthetic.pruning(), "training-recovers-random", "confirmed"),
        (synthetic.pruning(), "global-beats-local", "confirmed"),
        (synthetic.pruning({"l1-stale": 0.8}), "stale-masks-cost", "no difference"),
        (synthetic.pruning(), "both-l1-beats-random", "confirmed"),
        (synthetic.pruning({"l1-both": 0.4}), "both-l1-beats-random", "refuted"),
        (synthetic.pruning(), "both-cost-more", "confirmed"),
        (synthetic.pruning({"l1-both": 0.83}), "both-cost-more", "refuted"),
        (synthetic.pruning(), "both-near-chance", "confirmed"),
        (synthetic.pruning({"l1-both": 0.8}), "both-near-chance", "refuted"),
        (synthetic.pruning(), "sparsity-achieved", "confirmed"),
        (synthetic.pruning(achieved=0.01), "sparsity-achieved", "refuted"),
        (synthetic.pruning(), "format-makes-zeros", "confirmed"),
        (synthetic.pruning(zeros=0.1), "format-makes-zeros", "refuted"),
        (synthetic.ranges(), "weights-within-one", "confirmed"),
        (synthetic.ranges(weight=1.5), "weights-within-one", "refuted"),
        (synthetic.ranges(), "inputs-need-more", "confirmed"),
        (synthetic.ranges(inputs=0.5), "inputs-need-more", "refuted"),
        (synthetic.ranges(), "memory-saved", "refuted"),
        (synthetic.ranges(parameters=120), "memory-saved", "confirmed"),
        (synthetic.formats(), "ieee-carry", "confirmed"),
        (synthetic.formats(mase_error=0.05), "ieee-carry", "refuted"),
        (synthetic.formats(), "inverted-bias", "confirmed"),
        (synthetic.formats(kept=0.5), "inverted-bias", "refuted"),
        (synthetic.formats(), "inverted-bias-costs", "confirmed"),
        (synthetic.formats(mase=0.83), "inverted-bias-costs", "refuted"),
        (synthetic.formats(), "scaling-helps", "confirmed"),
        (synthetic.compression_speed(), "step128.affordable", "confirmed"),
        (synthetic.compression_speed(fake=1.4), "step512.affordable", "refuted"),
        (synthetic.compression_speed(), "zeros.s90.faster", "no difference"),
        (synthetic.compression_speed(zeros=0.8), "zeros.s90.faster", "confirmed"),
        (synthetic.compression_speed(), "zeros-skipped.s50.faster", "refuted"),
        (synthetic.compression_speed(), "smaller.s50.faster", "confirmed"),
    ],
)
def test_verdicts(record: dict[str, Any], claim: str, verdict: str) -> None:
    assert verdicts(record)[f"{record['experiment']}.{claim}"] == verdict


def test_seeds_that_scatter_leave_a_way_to_train_undecided() -> None:
    """A mean far above zero is not enough where another seed could say otherwise."""
    agreeing = synthetic.quantization(qat={"8:4": 0.93})
    divided = synthetic.quantization(qat={"8:4": 0.93}, seeds_differ=0.15)
    name = "quantization.qat-beats-float32"
    assert verdicts(agreeing)[name] == "confirmed"
    assert verdicts(divided)[name] == "undecided"


def test_l1_and_random_pruning_are_compared_as_a_family() -> None:
    """At three tenths the interval alone would confirm; among all sparsities it does not."""
    record = synthetic.pruning({"l1": 0.8, "random": 0.78}, {"l1": 0.8, "random": 0.8})
    found = {claim.id: claim for claim in claims_of(record)}
    claim = found["pruning.untrained.s30.l1-beats-random"]
    assert claim.interval is not None and claim.interval[0] > 0
    assert claim.verdict == "undecided"
    assert found["pruning.untrained.s90.l1-beats-random"].verdict == "confirmed"


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_a_record_that_was_not_measured_gives_the_same_claims_without_verdicts(
    record: dict[str, Any],
) -> None:
    absent = records.not_measured(record["experiment"], "cpu", "no reviews")
    assert verdicts(absent).keys() == verdicts(record).keys()
    assert set(verdicts(absent).values()) == {"not measured"}


def test_what_a_preset_does_not_run_is_not_measured() -> None:
    record = synthetic.quantization()
    record["facts"] = [row for row in record["facts"] if row["case"].get("format") != "4:2"]
    found = verdicts(record)
    assert found["quantization.ptq-four-fails"] == "not measured"
    assert found["quantization.ptq-eight-suffices"] == "confirmed"


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_values_have_names_of_their_own_and_tables_have_rows(record: dict[str, Any]) -> None:
    (analysis,) = (one for one in ANALYSES if one.experiment == record["experiment"])
    for values in analysis.values:
        assert all(name.startswith(f"{record['experiment']}.") for name in values(record))
    for make in analysis.tables.values():
        table = make(record)
        assert not table.empty and set(table["device"]) == {"cpu"}


def test_gains_are_paired_by_review() -> None:
    """Two models that are right about the same reviews do not differ, whatever the sample."""
    values = quantization.values(synthetic.quantization())
    loss = values["quantization.PTQ.w8.loss"].estimate
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
