"""Verdicts and values of the data and training jobs follow their records."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from labs.analysis import loops, lora, reviews
from labs.analysis.accuracy import difference
from labs.analysis.points import Points
from labs.analysis.tables import ANALYSES, tables
from labs.claims.judge import claims_of, judge
from labs.records import record as records
from labs.records.reading import read
from tests.unit import synthetic_training as synthetic

ROOT = Path(__file__).parents[2]
PUBLISHED = yaml.safe_load((ROOT / "report" / "published.yaml").read_text())["statements"]
QUESTIONS = {row["id"] for row in yaml.safe_load((ROOT / "report" / "questions.yaml").read_text())}
SCHEMA = yaml.safe_load((ROOT / "workflow" / "schemas" / "claims.schema.yaml").read_text())
RECORDS = [synthetic.data(), synthetic.base(), synthetic.loops(), synthetic.lora()]
by_experiment = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["experiment"])


def verdicts(record: dict[str, Any]) -> dict[str, str]:
    """The verdict of each claim by its id."""
    return {claim.id: claim.verdict for claim in claims_of(record)}


@pytest.mark.parametrize(
    ("record", "claim", "verdict"),
    [
        (synthetic.data(in_two_splits=0), "reviews.no-overlap", "confirmed"),
        (synthetic.data(in_two_splits=1), "reviews.no-overlap", "refuted"),
        (synthetic.data(positive=52), "reviews.balanced", "confirmed"),
        (synthetic.data(positive=60), "reviews.balanced", "refuted"),
        (synthetic.base(0.85), "base_model.learnt", "confirmed"),
        (synthetic.base(0.8), "base_model.learnt", "undecided"),
        (synthetic.base(0.75), "base_model.learnt", "refuted"),
        (synthetic.loops(gain=2.0), "loops.half-again", "confirmed"),
        (synthetic.loops(gain=1.4), "loops.half-again", "refuted"),
        (synthetic.loops(of_the_loop=1.2), "loops.loop-itself", "confirmed"),
        (synthetic.loops(of_the_loop=1.0), "loops.loop-itself", "no difference"),
        (synthetic.loops(accuracy=0.8), "loops.as-accurate", "confirmed"),
        (synthetic.loops(accuracy=0.77), "loops.as-accurate", "undecided"),
        (synthetic.loops(accuracy=0.7), "loops.as-accurate", "refuted"),
        (synthetic.lora(parameters=50), "lora.few-parameters", "confirmed"),
        (synthetic.lora(parameters=500), "lora.few-parameters", "refuted"),
        (synthetic.lora(memory=50), "lora.less-memory", "confirmed"),
        (synthetic.lora(memory=120), "lora.less-memory", "refuted"),
        (synthetic.lora(seconds=0.01), "lora.faster", "confirmed"),
        (synthetic.lora(seconds=0.03), "lora.faster", "refuted"),
        (synthetic.lora(), "lora.sft-more-accurate", "confirmed"),
        (synthetic.lora(accuracy={"LoRA": 0.8}), "lora.sft-more-accurate", "refuted"),
        (synthetic.lora(accuracy={"LoRA": 0.7}), "lora.sft-more-accurate", "no difference"),
        (synthetic.lora(disagree=True), "lora.sft-more-accurate", "undecided"),
        (synthetic.lora(), "lora.second-epoch-gains", "confirmed"),
        (synthetic.lora(accuracy={"SFT": 0.9}), "lora.second-epoch-gains", "refuted"),
        (synthetic.lora(), "lora.beats-second-sft", "no difference"),
        (synthetic.lora(accuracy={"SFT, then SFT": 0.9}), "lora.beats-second-sft", "refuted"),
        (synthetic.lora(merged=True), "lora.merge-exact", "confirmed"),
        (synthetic.lora(merged=False), "lora.merge-exact", "refuted"),
        (synthetic.base(), "base_model.mask-helps", "confirmed"),
        (synthetic.base(unmasked=0.9), "base_model.mask-helps", "refuted"),
        (synthetic.base(unmasked=0.85), "base_model.mask-helps", "no difference"),
        (synthetic.lora(), "lora.starts-at-zero", "confirmed"),
        (synthetic.lora(not_zero=1), "lora.starts-at-zero", "refuted"),
        (synthetic.lora(), "lora.merged-computes-the-same", "confirmed"),
        (synthetic.lora(operators=101), "lora.merged-computes-the-same", "refuted"),
        (synthetic.lora(), "lora.unmerged-computes-more", "confirmed"),
        (synthetic.lora(), "lora.biases-matter", "confirmed"),
        (synthetic.lora(accuracy={"SFT, biases dropped": 0.8}), "lora.biases-matter", "refuted"),
        (synthetic.lora(), "lora.mase-costs", "confirmed"),
    ],
)
def test_the_verdict_follows_the_data(record: dict[str, Any], claim: str, verdict: str) -> None:
    assert verdicts(record)[claim] == verdict


def test_over_reviews_alone_seeds_that_disagree_would_have_decided() -> None:
    record = synthetic.lora(disagree=True)
    both = lora.values(record)["lora.gain.sft_over_lora"].estimate
    points = Points(record)
    alone = difference(points.answers({"arm": "SFT"}), points.answers({"arm": "LoRA"}))
    assert both.low < 0 < alone.low


@by_experiment
def test_a_record_is_one_of_the_schema(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    records.write(record, path)
    assert read(path) == record | {"digest": records.digest_of(record)}
    rows = judge(path, tmp_path, "this machine")
    jsonschema.validate(rows, SCHEMA)
    assert {row["question"] for row in rows} <= QUESTIONS


@by_experiment
def test_claims_name_published_statements_that_exist(record: dict[str, Any]) -> None:
    known = {statement["id"] for statement in PUBLISHED}
    for claim in claims_of(record):
        assert set(claim.speaks_against) <= known


def test_every_table_is_made_and_every_value_has_its_evidence() -> None:
    mine = {f"{record['experiment']}.json": record for record in RECORDS}
    found = tables(mine, dict.fromkeys(mine, "a command"))
    for analysis in ANALYSES:
        for name in analysis.tables:
            assert found[name].empty == (f"{analysis.experiment}.json" not in mine), name
    assert set(found["values"]["evidence"]) == set(mine)
    assert found["values"]["name"].is_unique


def test_what_is_left_out_and_what_padding_saves_is_counted() -> None:
    values = reviews.values(synthetic.data())
    assert values["reviews.left_out"].estimate.value == 10
    assert values["reviews.near_copies"].estimate.value == 1
    assert values["reviews.longest"].estimate.value == 512
    assert values["reviews.padding.saved"].estimate.value == pytest.approx(1.8)


def test_rates_are_reviews_a_second() -> None:
    values = loops.values(synthetic.loops(gain=2.0))
    assert values["loops.own.rate"].estimate.value == pytest.approx(100, rel=1e-2)
    assert values["loops.trainer.rate"].estimate.value == pytest.approx(50, rel=1e-2)


def test_a_refuted_saving_of_memory_contradicts_who_published_it() -> None:
    claims = {claim.id: claim for claim in claims_of(synthetic.lora(memory=120))}
    assert claims["lora.less-memory"].speaks_against == ("D-lora-memory",)


def test_the_tolerance_of_merging_is_stated() -> None:
    (claim,) = (one for one in claims_of(synthetic.lora()) if one.id == "lora.merge-exact")
    assert claim.statement.endswith("rounding is granted, 0.0001 of the largest.")


def test_every_seed_has_its_row() -> None:
    table = lora.seed_table(synthetic.lora(disagree=True))
    assert table[table["arm"] == "SFT"]["accuracy"].tolist() == [0.55, 0.7]
    assert table[table["arm"] == "SFT"]["replicate"].tolist() == [0, 1]


def test_the_time_of_a_review_is_its_share_of_a_training_step() -> None:
    found = lora.values(synthetic.lora(seconds=0.01))
    assert found["lora.time.LoRA"].estimate.value == pytest.approx(0.01, rel=1e-2)
    assert found["lora.time.speedup"].estimate.value == pytest.approx(2)


def test_the_error_of_merging_is_not_that_of_the_models_before_they_are_timed() -> None:
    assert lora.values(synthetic.lora())["lora.merge.error"].estimate.value == 1e-7


def test_only_the_pretrained_encoder_has_pretrained_layers() -> None:
    found = {start: lora.values(synthetic.lora(start=start)) for start in ("encoder", "words")}
    assert found["encoder"]["lora.pretrained_layers"].estimate.value == 2
    assert "lora.pretrained_layers" not in found["words"]
