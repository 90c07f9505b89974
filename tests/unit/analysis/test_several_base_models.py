"""Several base models, each with all that is made of it, say together what a method does."""

import numpy as np
import pytest

from labs.evaluation import values_of
from labs.experiments.compression.quantization.names import PTQ
from labs.records.packed import pack, unpack
from labs.records.quantity import Quantity
from tests.unit.kept import Row, matching, record


def chains(name: str, number: int) -> Row:
    """A record of several chains, which all observe what the first did."""
    of = record(name)
    of["facts"] = [
        {**row, "process": chain, "case": dict(row["case"])}
        for chain in range(number)
        for row in matching(of, "facts", {"process": 0})
    ]
    return of


def loss(of: Row) -> Quantity:
    """What eight bits cost without training."""
    return values_of(of)["quantization.PTQ.w8.loss"]


def test_an_accuracy_is_the_mean_over_the_base_models() -> None:
    of = chains("base_model", 2)
    before = values_of(of)["base_model.test.accuracy"].value
    (second,) = matching(of, "facts", {"name": "correct", "split": "test", "process": 1})
    second["value"] = pack(np.ones(len(unpack(second["value"])), dtype=bool))
    values = values_of(of)
    assert values["base_model.number"].value == 2
    assert values["base_model.test.accuracy"].value == pytest.approx((before + 1) / 2)


def test_chains_that_differ_make_the_interval_of_a_method_wider() -> None:
    alike, apart = chains("quantization", 2), chains("quantization", 2)
    where = {"name": "correct", "arm": PTQ, "format": "8:4", "split": "validation", "process": 1}
    for row in matching(apart, "facts", where):
        answers = unpack(row["value"])
        answers[:: len(answers) // 50] ^= True
        row["value"] = pack(answers)
    narrow, wide = loss(alike), loss(apart)
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)


def test_the_share_of_zeros_is_the_mean_over_the_base_models() -> None:
    of = chains("quantization", 3)
    for row in matching(of, "facts", {"name": "zero", "arm": PTQ, "format": "4:2", "process": 2}):
        row["value"] = 0.0
    one = values_of(chains("quantization", 1))["quantization.PTQ.w4.zeros"].value
    assert values_of(of)["quantization.PTQ.w4.zeros"].value == pytest.approx(one * 2 / 3)
