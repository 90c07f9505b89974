"""Allocations: their bits, the models they make, and the exact optimum of an additive score."""

import math
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.experiments.precision import oddities
from labs.experiments.precision.bits import Costs
from labs.experiments.precision.searches import best_of, of_all, of_cost
from labs.experiments.precision.sensitivity import allocate, predicted
from labs.formats.binary import ResidualSign
from labs.formats.configurations import at_widths, configuration
from labs.models.classifiers import bert_tiny
from labs.models.linears import linears
from labs.records.names.formats import FORMATS
from labs.records.names.quantization import FLOAT32
from labs.studies.study import Trial

TOKENS = 16
SCORES = st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), min_size=4, max_size=4)
BITS = (2.0, 4.0, 8.0)


@pytest.fixture(scope="module")
def model() -> torch.nn.Module:
    return bert_tiny(0)


@pytest.fixture(scope="module")
def costs(model: torch.nn.Module) -> Costs:
    return Costs(model, TOKENS)


def test_a_format_is_spelled_by_name_width_and_fraction() -> None:
    assert configuration("integer 8:3") == {"name": "integer", "width": 8, "frac_width": 3}
    assert configuration("integer 6") == {"name": "integer", "width": 6, "frac_width": 3}
    assert configuration("minifloat_ieee 4")["exponent_width"] == 2
    assert configuration("binary") == {"name": "binary"}


@pytest.mark.parametrize("spelled", ["int 8", "", "float32"])
def test_an_unknown_format_is_named(spelled: str) -> None:
    with pytest.raises(ValueError, match="names no format; allowed: integer"):
        configuration(spelled)


def test_a_format_has_the_widths_that_it_can_have() -> None:
    assert at_widths("minifloat_denorm", [2, 3, 8]) == ["minifloat_denorm 3", "minifloat_denorm 8"]
    assert at_widths("block_fp", [2, 8]) == ["block_fp 2", "block_fp 8"]
    assert at_widths("binary", [2, 8]) == ["binary"]


@pytest.mark.parametrize(("spelled", "bits"), [(FLOAT32, 32), ("integer 8:4", 8), ("mxint8", 8.25)])
def test_average_bits_of_models_that_are_all_alike(costs: Costs, spelled: str, bits: float) -> None:
    found = costs.bits(dict.fromkeys(costs.layers, spelled))
    # The biases of the last layer do not fill a block.
    assert found == pytest.approx(bits, rel=1e-3)


def test_binary_weights_leave_inputs_at_full_precision(costs: Costs) -> None:
    found = costs.bits(dict.fromkeys(costs.layers, "binary"))
    assert (1 + 32) / 2 < found < (2 + 32) / 2


def test_inputs_count_by_their_multiplications(costs: Costs) -> None:
    query = costs.layers["bert.encoder.layer.0.attention.self.query"]
    assert (query.inputs, costs.layers["classifier"].inputs) == (TOKENS, 1)
    assert query.multiplications == 128 * 128 * TOKENS


def test_bits_of_layers_add_up(costs: Costs) -> None:
    spelled = ["integer 8:4", "block_fp 3", FLOAT32, "binary"]
    mixed = {layer: spelled[place % 4] for place, layer in enumerate(costs.layers)}
    shares = [costs.share(layer, one) for layer, one in mixed.items()]
    assert costs.bits(mixed) == pytest.approx(sum(shares))


def test_bytes_are_those_of_all_parameters(model: torch.nn.Module, costs: Costs) -> None:
    values = sum(weight.numel() for weight in model.parameters())
    layers = sum(w.numel() for layer in linears(model).values() for w in layer.parameters())
    assert costs.bytes({}) == 4 * values
    eight = dict.fromkeys(costs.layers, "integer 8:4")
    assert costs.bytes(eight) == 4 * values - 3 * layers
    words = {"bert.embeddings.word_embeddings": "integer 8:4"}
    assert costs.bytes(words) == 4 * values - 3 * math.prod((30522, 128))


@settings(deadline=None, max_examples=60)
@given(SCORES, st.floats(2, 8))
def test_an_allocation_is_the_best_of_all_that_fit(scores: list[list[float]], mean: float) -> None:
    choices = [f"block_fp {int(bits)}" for bits in BITS]
    by_layer = {
        f"layer {place}": dict(zip(choices, row, strict=True)) for place, row in enumerate(scores)
    }
    share = dict.fromkeys(by_layer, dict(zip(choices, (b / 4 for b in BITS), strict=True)))
    chosen = allocate(by_layer, share, mean)
    fits = [
        sum(row[place] for row, place in zip(scores, places, strict=True))
        for places in product(range(3), repeat=4)
        if sum(BITS[place] / 4 for place in places) <= mean + 1e-9
    ]
    assert sum(share[layer][one] for layer, one in chosen.items()) <= mean + 1e-6
    assert predicted(by_layer, chosen) == pytest.approx(min(fits), abs=1e-6)


def test_bits_that_suffice_for_no_allocation_are_refused() -> None:
    scores = {"layer": {"block_fp 2": 0.1}}
    with pytest.raises(SystemExit, match=r"no allocation of at most 1\.000 bits"):
        allocate(scores, {"layer": {"block_fp 2": 2.0}}, 1.0)


def test_the_best_trials_are_different_and_the_earliest_of_equal_ones() -> None:
    trials = [
        Trial({"a": spelled}, (value,), 0)
        for spelled, value in (("x", 0.5), ("y", 0.9), ("x", 0.5), ("z", 0.9))
    ]
    assert best_of(trials, 3) == [{"a": "y"}, {"a": "z"}, {"a": "x"}]


def test_the_space_of_all_formats_holds_each_at_every_width() -> None:
    plain, narrow = of_all([3, 8])
    assert plain.choices == (FLOAT32, *FORMATS)
    assert FLOAT32 not in narrow.choices
    assert {"integer 3", "integer 8", "block_log 3", "mxint8", "binary"} <= set(narrow.choices)


def test_searches_with_a_penalty_have_one_objective() -> None:
    found = of_cost([3, 8], [0.01])
    assert [search.two for search in found] == [False, True, True, True]
    assert {search.choices == ["block_fp 3", "block_fp 8"] for search in found} == {True}


def test_the_labs_binary_scaling_cuts_weights_and_leaves_the_model(model: torch.nn.Module) -> None:
    cut = oddities.without_scale(model)
    for layer, other in zip(linears(model).values(), linears(cut).values(), strict=True):
        assert torch.equal(other.weight, layer.weight.clamp(-1, 1))


def test_the_labs_residual_sign_has_signs_of_inputs_and_of_weights() -> None:
    layer = torch.nn.Linear(2, 1)
    plain = torch.nn.Sequential(layer)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[0.1, -0.3]]))
        layer.bias.fill_(1.0)
    found = oddities.on_inputs(plain)(torch.tensor([[1.0, 0.0]]))
    signs = ResidualSign()(torch.tensor([1.0, 0.0]))
    # The scale is the mean magnitude of the weights.
    assert found.item() == pytest.approx(1 + 0.2 * (signs[0] - signs[1]).item())
