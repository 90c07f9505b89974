"""Mixed precision: allocations, their bits and models, and what searches among them found."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.analysis.values import Values
from labs.evaluation import evaluated, values_of
from labs.experiments.precision import names, oddities
from labs.experiments.precision.bits import Costs
from labs.experiments.precision.cost import values as cost
from labs.experiments.precision.fronts import front, hypervolume
from labs.experiments.precision.judged import Judged, Study
from labs.experiments.precision.names import ALL, DIRECT, EACH, GRADIENT, PAIRS, UNIFORM
from labs.experiments.precision.searched import values as searched
from labs.experiments.precision.searches import best_of, of_all, of_cost
from labs.experiments.precision.sensitivity import allocate, predicted
from labs.formats.binary import ResidualSign
from labs.formats.configurations import at_widths, configuration
from labs.formats.names import FLOAT32, FORMATS
from labs.models.classifiers import bert_tiny
from labs.models.layers import linears
from labs.records.packed import pack
from labs.studies.study import Trial
from tests.unit.kept import RECORDS, Row, answer, answered, fact, judged, matching, record, told

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


KEPT = RECORDS["precision"]
CHAINS = [KEPT | {"facts": matching(KEPT, "facts", {"process": chain})} for chain in (0, 1)]
"""Each chain of it alone."""


def found(of: Row) -> Values:
    return Values(values_of(of), "precision")


def test_layers_have_short_names() -> None:
    short = Judged(KEPT).layers()
    assert (short[0], short[-2:]) == ("0.attention.query", ["pooler", "classifier"])


def test_a_winner_is_compared_with_float32_on_the_same_reviews() -> None:
    right = answer(answered("precision", 1.0, arm=PAIRS), 0.75, arm=UNIFORM, spelled=FLOAT32)
    values = found(right)
    assert values["pairs.ahead"].value == pytest.approx(0.25, abs=1e-3)
    assert values["pairs.behind"].value == pytest.approx(-0.25, abs=1e-3)
    assert values["float32.test"].value == pytest.approx(0.75, abs=1e-3)


def test_the_best_so_far_is_that_of_the_trials_before() -> None:
    together, *alone = map(searched.trial_table, (KEPT, *CHAINS))
    for study, penalty in ((PAIRS, 0.0), ("lambda 0.01", 0.01)):
        chains = [table[table["study"] == study] for table in alone]
        for rows in chains:
            assert list(rows["best"]) == list(np.maximum.accumulate(rows["accuracy"]))
            worth = rows["accuracy"] - penalty * rows["bits"]
            assert list(rows["best_objective"]) == list(np.maximum.accumulate(worth))
        for column in ("best", "best_objective"):
            mean = np.mean([rows[column] for rows in chains], axis=0)
            assert list(together[together["study"] == study][column]) == pytest.approx(list(mean))


def test_rises_count_what_comes_after() -> None:
    rise = found(answered("precision", 1.0, arm=PAIRS, trial=10)).below("pairs.rise_after")
    early = f"study == '{PAIRS}' and trial <= 2"
    best = [max(searched.trial_table(chain).query(early)["accuracy"]) for chain in CHAINS]
    assert rise["two"].value == pytest.approx(1 - np.mean(best))
    assert rise["ten"].value == 0


def test_formats_within_a_point_are_counted() -> None:
    alike = answered("precision", 0.8)
    assert found(alike)["formats.kept"].value == len(FORMATS)
    without = found(answer(alike, 0.2, arm="log"))
    assert without["formats.kept"].value == len(FORMATS) - 1


def test_the_narrowest_width_is_the_least_that_loses_at_most_a_point() -> None:
    assert found(KEPT)["narrowest.block_fp"].value == 2
    worse = answered("precision", 0.2, arm=UNIFORM, spelled="block_fp 2")
    assert found(worse)["narrowest.block_fp"].value == 3
    for width in (3, 4, 8):
        answer(worse, 0.2, arm=UNIFORM, spelled=f"block_fp {width}")
    assert "narrowest.block_fp" not in found(worse)
    assert "narrowest.binary" not in found(worse)


def test_saved_bytes_are_a_share_of_the_whole_model() -> None:
    sized = record("precision")
    for arm, size in ((FLOAT32, 100), (names.LINEARS, 90), (names.EVERYTHING, 25)):
        matching(sized, "facts", {"name": "bytes", "arm": arm})[0]["value"] = size
    values = found(sized)
    assert values["bytes.linears.saved"].value == pytest.approx(0.1)
    assert values["bytes.everything.saved"].value == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("formats", "likely"),
    [(["log"] * 30, False), (["log", "integer", "block_fp 3", "block_fp 8"] * 8, True)],
)
def test_counts_of_one_type_are_unlikely_by_chance(formats: list[str], likely: bool) -> None:
    case = {"split": names.VALIDATION, "role": "winner"}
    values = {"correct": pack(np.ones(1, bool)), "formats": "; ".join(formats)}
    facts = [fact(0, name, value, "text", ALL, **case) for name, value in values.items()]
    study = Study(ALL, ALL, ["log", "integer", "block_fp 3", "block_fp 8"], 0.0, two=False)
    chance = searched.chance(Judged({"facts": facts}), study)
    assert 0 < chance <= 1
    assert (chance > 0.05) == likely


def test_a_front_holds_what_nothing_beats() -> None:
    points = [(0.8, 8.0), (0.7, 4.0), (0.7, 5.0), (0.6, 6.0), (0.9, 16.0)]
    assert front(points) == [(0.7, 4.0), (0.8, 8.0), (0.9, 16.0)]


def test_a_hypervolume_is_the_area_of_a_staircase() -> None:
    whole = 0.5 * 32
    assert hypervolume([(0.75, 16.0)]) == pytest.approx(0.25 * 16 / whole)
    stairs = 0.25 * 16 + 0.125 * 8
    assert hypervolume([(0.75, 16.0), (0.875, 24.0)]) == pytest.approx(stairs / whole)
    assert hypervolume([(0.4, 1.0), (0.9, 40.0)]) == 0


def test_what_a_sum_foretells_is_held_to_what_was_measured() -> None:
    measured = told("precision", "loss", 0.5, arm=DIRECT, split=names.TRAINING)
    before = matching(measured, "facts", {"name": "training loss"})
    for row, loss in zip(before, (0.1, 0.3), strict=True):
        row["value"] = loss
    rows = cost.shared_table(measured).query(f"way == '{DIRECT}'")
    foretold = [
        [row["value"] for row in matching(chain, "facts", {"name": "predicted", "arm": DIRECT})]
        for chain in CHAINS
    ]
    assert rows["predicted"].tolist() == pytest.approx(np.mean(foretold, axis=0).tolist())
    assert rows["rise"].tolist() == pytest.approx([0.3] * 2)


def test_scores_that_rank_alike_agree_fully() -> None:
    alike = record("precision")
    scores = (matching(alike, "facts", {"name": "score", "arm": way}) for way in (DIRECT, GRADIENT))
    for direct, gradient in zip(*scores, strict=True):
        gradient["value"] = 0.1 * direct["value"]
    assert found(alike)["scores.agreement"].value == pytest.approx(1)


def replicated(replicate: int) -> list[Row]:
    """The first chain's facts as of a replicate, which finds another format to be the best."""
    study = {"study": list(FORMATS)[replicate]}
    return [
        {**row, "process": replicate, "case": row["case"] | (study if row["arm"] == EACH else {})}
        for row in CHAINS[0]["facts"]
    ]


def test_replicates_are_judged_together_whatever_each_finds_best() -> None:
    facts = sum((replicated(number) for number in range(3)), [])
    together = evaluated(KEPT | {"facts": facts})
    assert "not measured" not in {claim.verdict for claim in together.claims}
    for name, table in together.tables.items():
        assert not table.empty, name


def test_replicates_that_disagree_decide_nothing() -> None:
    assert judged(KEPT)["precision.pairs-keep"].verdict == "confirmed"
    other = answered("precision", 0.6, arm=PAIRS, process=1)
    assert judged(other)["precision.pairs-keep"].verdict == "undecided"
