"""Values of the data and training jobs follow their records."""

import pytest

from labs.analysis.frame import Samples
from labs.experiments.lora import values as lora
from labs.experiments.reviews import values as reviews
from tests.unit import kept


def test_what_is_left_out_and_what_padding_saves_is_counted() -> None:
    record = kept.told("reviews", "read", 25_010)
    values = {name: value.estimate.value for name, value in reviews.values(record).items()}
    (different,) = kept.matching(record, "facts", {"name": "different words"})
    assert values["reviews.left_out"] == 25_010 - values["reviews.kept"]
    assert values["reviews.near_copies"] == values["reviews.kept"] - different["value"]
    assert values["reviews.longest"] == 512
    saved = values["reviews.padding.random"] / values["reviews.padding.grouped"]
    assert values["reviews.padding.saved"] == pytest.approx(saved)


def test_the_time_of_a_review_is_its_share_of_a_training_step() -> None:
    record = kept.record("lora")
    step = Samples(record).time("LoRA").estimate.value
    found = lora.values(record)["lora.time.LoRA"].estimate.value
    assert found == pytest.approx(step / record["spec"]["batch_size"])


def test_the_error_of_merging_is_not_that_of_the_models_before_they_are_timed() -> None:
    record = kept.edited("lora", "checks", {"error": 1e9}, arm="LoRA")
    assert lora.values(record)["lora.merge.error"].estimate.value < 1


def test_only_the_pretrained_encoder_has_pretrained_layers() -> None:
    record = kept.record("lora")
    assert "lora.pretrained_layers" not in lora.values(record)
    record["spec"]["start"] = "encoder"
    layers = record["spec"]["layers"]
    assert lora.values(record)["lora.pretrained_layers"].estimate.value == layers
