"""Compression in the search: what is done, chosen and counted."""

import pytest
import torch

from labs.claims.judge import claims_of
from labs.experiments.search.compressing import compress, rounded_to_zero
from labs.experiments.search.compression import values as compression
from labs.experiments.search.compression.observe import best_sampler
from labs.experiments.search.names import COMPRESSED, RETRAINED, TRIAL, written
from labs.experiments.search.winner import choose
from labs.models.classifiers import bert_tiny
from labs.models.pruned import pruned_share
from labs.models.quantized import average_bits, zero_share
from labs.records.names.studies import RANDOM, TPE
from tests.unit import kept
from tests.unit.kept import Row, answer, answered, matching, told

BEST, WORST = 11, 12
"""The architectures with the first training seed."""


def test_compression_is_the_tutorials() -> None:
    model = bert_tiny(0, vocab_size=50, hidden_size=16, intermediate_size=32)
    zeros = rounded_to_zero(model)
    compress(model, seed=0)
    assert average_bits(model) == 8
    assert pruned_share(model) == pytest.approx(0.5, abs=0.01)
    assert zero_share(model) >= zeros > 0.5
    inputs: list[torch.Tensor] = []
    model.classifier.register_forward_pre_hook(lambda _, given: inputs.append(given[0]))
    tokens = torch.ones(3, 4, dtype=torch.long)
    model.eval()(tokens, attention_mask=tokens)
    # Rounded inputs and weights give equal numbers, which are kept or dropped together.
    assert 0.5 <= (inputs[0] == 0).float().mean() < 0.7


def test_values_are_those_of_the_stages() -> None:
    half = answer(answered("search", 0.75, arm=TRIAL), 0.5, arm=COMPRESSED)
    found = {
        name.removeprefix("search.compression."): value.estimate.value
        for name, value in compression.values(answer(half, 0.625, arm=RETRAINED)).items()
    }
    assert found["lost"] == pytest.approx(0.25, abs=1e-3)
    assert found["recovered"] == pytest.approx(0.125, abs=1e-3)
    assert found["left"] == pytest.approx(-0.125, abs=1e-3)
    assert found["trial.end"] == pytest.approx(0.75, abs=1e-3)
    assert found["ahead.compressed-trial"] == pytest.approx(-0.25, abs=1e-3)
    costs = [fact for fact in half["facts"] if fact["name"] == "core-seconds"]
    assert found["cost"] == sum(fact["value"] for fact in costs if fact["arm"] != TRIAL)
    assert not {"repeatability", "tau.trial-compressed"} & found.keys(), "all are the same"


def test_sensitive_architectures_change_the_ranking() -> None:
    """The better an architecture is, the worse it is compressed; training brings it back."""
    record = kept.record("search")
    for number in range(24):
        for stage, sign in ((TRIAL, 1), (COMPRESSED, -1), (RETRAINED, 1)):
            answer(record, 0.5 + sign * 0.01 * number, arm=stage, number=number)
    found = compression.values(record)
    expected = {"tau.trial-compressed": -1, "tau.trial-retrained": 1, "repeatability": 1}
    for name, value in expected.items():
        assert found[f"search.compression.{name}"].estimate.value == pytest.approx(value)


def part(record: Row) -> Row:
    """What a record has of one training seed's search, before anything is tested."""
    facts = matching(record, "facts", {"process": 0})
    return record | {"facts": [one for one in facts if one["case"].get("split") != "test"]}


def test_each_objective_has_its_own_winner() -> None:
    searched = part(answered("search", 1.0, arm=COMPRESSED, number=0))
    assert choose([searched]) == BEST
    assert choose([searched], COMPRESSED) == 0


@pytest.mark.parametrize("sampler", [RANDOM, TPE])
def test_the_best_sampler_halfway_searches_for_compressed_models(sampler: str) -> None:
    best, worst = (
        part(told("search", "replays", written([[number] * 24]), arm=sampler))
        for number in (BEST, WORST)
    )
    assert best_sampler([best, best]) == sampler
    assert best_sampler([worst]) != sampler


def test_what_two_searches_choose_is_compared_at_their_own_stage() -> None:
    record = answered("search", 1.0, objective=RETRAINED)
    for one in matching(record, "facts", {"objective": RETRAINED}):
        one["case"]["architecture"] = "another"
    found = {one.id: one.verdict for one in claims_of(record)}
    assert found["search.compression.aware.retrained"] == "confirmed"
    assert found["search.compression.aware.compressed"] != "confirmed"


def test_a_model_is_not_better_than_itself() -> None:
    record = kept.record("search")
    for one in record["facts"]:
        if one["case"].get("objective"):
            one["case"]["architecture"] = "the same"
    found = {one.id: one.verdict for one in claims_of(record)}
    assert found["search.compression.aware.compressed"] == "not measured"
    assert found["search.compression.aware.compressed.chooses-another"] == "refuted"
    assert found["search.compression.over_control"] == "confirmed", "another model"
