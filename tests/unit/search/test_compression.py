"""Compression in the search: what is done, chosen and counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from labs.analysis.search import compression
from labs.claims.judge import claims_of
from labs.experiments.search.compressing import compress, rounded_to_zero
from labs.experiments.search.compression import best_sampler
from labs.experiments.search.winner import choose
from labs.models.classifiers import bert_tiny
from labs.models.pruned import pruned_share
from labs.models.quantized import average_bits, zero_share
from labs.records.names.search import COMPRESSED, RETRAINED
from labs.records.names.studies import RANDOM, TPE
from tests.unit.search import synthetic
from tests.unit.search.synthetic import ACCURACIES, BEST, SENSITIVE, WORST, always


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


def values(**changes: Any) -> dict[str, float]:
    found = compression.values(synthetic.search(**changes))
    return {
        name.removeprefix("search.compression."): one.estimate.value for name, one in found.items()
    }


def test_values_are_those_of_the_stages() -> None:
    found = values()
    assert found["lost"] == pytest.approx(0.05)
    assert found["recovered"] == pytest.approx(0.09)
    assert found["left"] == pytest.approx(0.04)
    assert found["trial.end"] == pytest.approx(np.mean([0.74, 0.73]))
    assert found["ahead.compressed-trial"] == pytest.approx(-0.05)
    assert found["tau.trial-compressed"] == pytest.approx(1)
    assert found["cost"] == 2 * len(ACCURACIES) * 2 * 4
    assert "repeatability" not in found, "all cost the same"


def test_sensitive_architectures_change_the_ranking() -> None:
    found = values(compressed=SENSITIVE)
    assert found["tau.trial-compressed"] < 0.5 < found["tau.trial-retrained"]
    assert found["repeatability"] == pytest.approx(1)


def part(**changes: Any) -> Any:
    """The record of one training seed's search, before anything is tested."""
    record = synthetic.search(**changes)
    facts = [
        one for one in record["facts"] if one["process"] == 0 and one["case"].get("split") != "test"
    ]
    return record | {"facts": facts}


def test_each_objective_has_its_own_winner() -> None:
    searched = part(compressed=SENSITIVE)
    assert choose([searched]) == choose([searched], RETRAINED) == BEST
    assert choose([searched], COMPRESSED) == 0


@pytest.mark.parametrize("sampler", [RANDOM, TPE])
def test_the_best_sampler_halfway_searches_for_compressed_models(sampler: str) -> None:
    best, worst = (part(orders={sampler: always(number)}) for number in (BEST, WORST))
    assert best_sampler([best, best]) == sampler
    assert best_sampler([worst]) != sampler


def test_a_model_is_not_better_than_itself() -> None:
    record = synthetic.search()
    for one in record["facts"]:
        if one["case"].get("objective"):
            one["case"]["architecture"] = "the same"
    found = {one.id: one.verdict for one in claims_of(record)}
    assert found["search.compression.aware.compressed"] == "not measured"
    assert found["search.compression.aware.compressed.chooses-another"] == "refuted"
    assert found["search.compression.over_control"] == "no difference", "another model"
