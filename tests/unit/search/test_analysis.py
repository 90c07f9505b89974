"""Searches are replayed, compared and counted as by hand; so is what follows of a winner."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import torch

from labs.analysis.points import CHOOSING, READING
from labs.evaluation import evaluated, values_of
from labs.experiments.search import names
from labs.experiments.search import replayed as replays
from labs.experiments.search import space as spaces
from labs.experiments.search.architectures import values as architectures
from labs.experiments.search.compressing import compress, rounded_to_zero
from labs.experiments.search.compression.observe import best_sampler
from labs.experiments.search.epochs.values import Epochs
from labs.experiments.search.importance import values as importance
from labs.experiments.search.replay import replays as replay
from labs.experiments.search.replayed import Searches
from labs.experiments.search.samplers import values as samplers
from labs.experiments.search.sizes import Comparison
from labs.experiments.search.winner import choose
from labs.models.classifiers import bert_tiny
from labs.models.pruned import pruned_share
from labs.models.quantized import average_bits, zero_share
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.records.packed import pack, pack_losses, unpack, unpack_losses
from tests.unit.kept import RECORDS, Row, answer, answered, matching, record, told

SPACE = spaces.grid([2, 4], ["query+key"])
VALUES = [0.70, 0.62, 0.66, 0.74, 0.68, 0.72]
"""Accuracies of its six architectures."""
SEARCHES = 200
ARCHITECTURES = 12
"""Those of the kept record, each trained by two chains."""
STEPS = 63
"""Of an epoch of the kept record."""


@pytest.fixture(scope="module")
def orders() -> dict[str, list[list[int]]]:
    """What each sampler tries on a table of six architectures."""
    comparison = Comparison(SEARCHES, 3)
    return {
        name: names.read(replay(name, SPACE, VALUES, comparison)) for name in (GRID, RANDOM, TPE)
    }


def test_the_grid_tries_everything_once(orders: dict[str, list[list[int]]]) -> None:
    assert all(sorted(order) == list(range(6)) for order in orders[GRID])
    assert len(set(map(tuple, orders[GRID]))) > SEARCHES / 2


@pytest.mark.parametrize("trial", [1, 2, 4])
def test_replays_reach_what_chance_says(orders: dict[str, list[list[int]]], trial: int) -> None:
    without = np.mean([max(drawn) for drawn in combinations(VALUES, trial)])
    ordered = np.sort(VALUES)
    chances = (np.arange(1, 7) / 6) ** trial - (np.arange(6) / 6) ** trial
    for name, expected in ((GRID, without), (RANDOM, float(ordered @ chances))):
        (best,) = Searches(np.array([VALUES]), [np.array(orders[name])]).reached(trial)
        error = best.std(ddof=1) / np.sqrt(SEARCHES)
        assert abs(best.mean() - expected) < 4 * error, name


def test_a_replay_is_decided_by_its_seed(orders: dict[str, list[list[int]]]) -> None:
    assert names.read(replay(TPE, SPACE, VALUES, Comparison(3, 3))) == orders[TPE][:3]
    assert orders[TPE][0] != orders[TPE][1]


def test_a_guided_search_learns(orders: dict[str, list[list[int]]]) -> None:
    late = {name: np.array(VALUES)[np.array(orders[name])][:, -1] for name in (RANDOM, TPE)}
    assert late[TPE].mean() > late[RANDOM].mean()


def test_the_best_so_far_and_the_repeats_of_a_search() -> None:
    (best,) = Searches(np.array([[2.0, 1.0, 3.0]]), [np.array([[0, 1, 2]])]).best
    assert best.tolist() == [[2, 2, 3]]
    assert replays.repeated(np.array([[4, 5, 4, 4]])).tolist() == [[False, False, True, True]]


def test_superiority_counts_ties_half() -> None:
    two, three = np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    assert replays.superiority([three], [two]).value == pytest.approx(4 / 6)
    assert replays.superiority([two], [two]).value == 0.5
    assert replays.superiority([three + 9, two], [two, three + 9]).value == 0.5


def test_the_interval_of_superiority_covers() -> None:
    generator = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        first, second = (generator.integers(0, 6, 60).astype(float) for _ in range(2))
        found = replays.superiority([first], [second])
        covered += found.low <= 0.5 <= found.high
    assert 0.92 < covered / 400 < 0.98


def test_the_deviation_of_seeds_covers() -> None:
    generator = np.random.default_rng(0)
    found = [architectures.deviation(generator.normal(0, 2.0, 5)) for _ in range(400)]
    assert 0.92 < np.mean([one.low <= 2.0 <= one.high for one in found]) < 0.98


def test_values_are_those_of_the_table() -> None:
    known = told("search", "core-seconds", 5.0, arm=names.TRIAL)
    for number in range(ARCHITECTURES):
        answer(known, 0.5 + 0.01 * number, arm=names.TRIAL, number=number)
    for seed, share in enumerate((0.70, 0.69, 0.71, 0.70)):
        answer(known, share, arm=names.DEFAULT, process=seed)
    numbers = {name: value.value for name, value in values_of(known).items()}
    asking = sum(row["value"] for row in matching(known, "facts", {"name": "asking"}))
    assert numbers["search.architectures"] == ARCHITECTURES
    assert numbers["search.grid.end"] == pytest.approx(0.61, abs=1e-3)
    assert numbers["search.grid.repeats"] == 0
    assert numbers["search.trials.half"] == 6
    assert numbers["search.noise"] == pytest.approx(0.01 * np.sqrt(2 / 3), rel=0.1)
    assert numbers["search.noise.failed"] == 0
    assert numbers["search.cost"] == pytest.approx(ARCHITECTURES * 2 * 5)
    assert numbers["search.overhead"] == pytest.approx(asking / (ARCHITECTURES * 2 * 5))
    assert numbers["search.rank_agreement"] == pytest.approx(1)


def test_a_seed_that_learned_nothing_is_counted() -> None:
    half = np.arange(1000) % 2 == 0
    assert architectures.is_chance(half) and architectures.is_chance(~half)
    assert not architectures.is_chance(np.arange(1000) < 600)


def test_a_tpe_no_longer_than_its_startup_is_called_random() -> None:
    short = record("search")
    short["spec"]["startup"] = ARCHITECTURES
    named = set(samplers.trial_table(short)["sampler"])
    assert named == {"grid", "random", "TPE, all of it random"}
    verdicts = {claim.id: claim.verdict for claim in evaluated(short).claims}
    assert verdicts["search.tpe-random.end.ahead"] == "not measured"
    assert verdicts["search.same-peak"] != "not measured"


def test_effects_that_add_up_explain_everything_and_an_interaction_is_no_choice() -> None:
    grid = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    found = importance.shares(grid, pd.Series([0.0, 1.0, 2.0, 3.0]))
    assert found == pytest.approx({"a": 0.8, "b": 0.2, importance.REST: 0.0})
    found = importance.shares(grid, pd.Series([0.0, 1.0, 1.0, 0.0]))
    assert found == pytest.approx({"a": 0.0, "b": 0.0, importance.REST: 1.0})


@pytest.mark.parametrize("architecture", spaces.architectures(SPACE)[::2])
def test_choices_are_read_back_from_their_description(architecture: dict[str, str]) -> None:
    found = names.choices_of(names.described(architecture))
    assert found[names.LAYERS] == architecture[names.LAYERS]
    replaced = "identity" in architecture["query+key"]
    assert (found["query+key"] != "linear") == replaced
    assert found["value"] == "linear"


def test_losses_keep_three_digits() -> None:
    losses = np.array([0.0, 0.00123, 0.6931, 17.25])
    assert unpack_losses(pack_losses(losses)) == pytest.approx(losses, rel=5e-4)


def test_the_lowest_point_is_chosen_on_other_reviews_than_it_is_read_on() -> None:
    low = pack_losses(np.full(500, 0.1))
    seen = Epochs(told("search", "losses", low, step=STEPS))
    assert [seen.epochs[point] for point in seen.lowest()] == [1, 1]
    assert seen.rises().shape == (2, 500 // 2)
    seen.losses[:, 0, READING] = -1
    assert [seen.epochs[point] for point in seen.lowest()] == [1, 1]


def test_by_chance_alone_no_loss_rises() -> None:
    """Of equal points one is the lowest; on fresh reviews the others are as often below it."""
    seen = Epochs(RECORDS["search"])
    rises = []
    for number in range(200):
        seen.losses = np.random.default_rng(number).normal(0.7, 0.1, (2, 4, 200))
        rises.append(seen.rises().mean())
    assert abs(np.mean(rises)) < 4 * np.std(rises) / np.sqrt(len(rises))


BEST, WORST = 7, 2
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
    half = answer(answered("search", 0.75, arm=names.TRIAL), 0.5, arm=names.COMPRESSED)
    found = {
        name.removeprefix("search.compression."): value.value
        for name, value in values_of(answer(half, 0.625, arm=names.RETRAINED)).items()
    }
    assert found["lost"] == pytest.approx(0.25, abs=1e-3)
    assert found["recovered"] == pytest.approx(0.125, abs=1e-3)
    assert found["left"] == pytest.approx(-0.125, abs=1e-3)
    assert found["trial.end"] == pytest.approx(0.75, abs=1e-3)
    assert found["ahead.compressed-trial"] == pytest.approx(-0.25, abs=1e-3)
    costs = [fact for fact in half["facts"] if fact["name"] == "core-seconds"]
    assert found["cost"] == sum(fact["value"] for fact in costs if fact["arm"] != names.TRIAL)
    assert not {"repeatability", "tau.trial-compressed"} & found.keys(), "all are the same"


def test_sensitive_architectures_change_the_ranking() -> None:
    """The better an architecture is, the worse it is compressed; training brings it back."""
    of = record("search")
    for number in range(ARCHITECTURES):
        for stage, sign in ((names.TRIAL, 1), (names.COMPRESSED, -1), (names.RETRAINED, 1)):
            answer(of, 0.5 + sign * 0.01 * number, arm=stage, number=number)
    found = values_of(of)
    expected = {"tau.trial-compressed": -1, "tau.trial-retrained": 1, "repeatability": 1}
    for name, value in expected.items():
        assert found[f"search.compression.{name}"].value == pytest.approx(value)


def part(record: Row) -> Row:
    """What a record has of one training seed's search, before anything is tested."""
    facts = matching(record, "facts", {"process": 0})
    return record | {"facts": [one for one in facts if one["case"].get("split") != "test"]}


def test_each_objective_has_its_own_winner() -> None:
    searched = part(answered("search", 1.0, arm=names.COMPRESSED, number=0))
    assert choose([searched]) == BEST
    assert choose([searched], names.COMPRESSED) == 0


@pytest.mark.parametrize("sampler", [RANDOM, TPE])
def test_the_best_sampler_halfway_searches_for_compressed_models(sampler: str) -> None:
    best, worst = (
        part(told("search", "replays", names.written([[number] * ARCHITECTURES]), arm=sampler))
        for number in (BEST, WORST)
    )
    assert best_sampler([best, best]) == sampler
    assert best_sampler([worst]) != sampler


def test_a_search_at_a_stage_is_judged_on_reviews_that_did_not_choose() -> None:
    """An architecture that is right only on the reviews that choose is chosen, and loses."""
    of = record("search")
    for fact in matching(of, "facts", {"name": "correct", "arm": names.RETRAINED, "number": 0}):
        lucky = np.zeros(len(unpack(fact["value"])), dtype=bool)
        lucky[CHOOSING] = True
        fact["value"] = pack(lucky)
    found = values_of(of)["search.compression.aware.retrained"]
    assert found.value < -0.3


def test_choosing_at_a_stage_gains_what_its_ranking_knows() -> None:
    """Of two, the one that is worse before compression is the better one after it."""
    of = answered("search", 0.5, arm=names.COMPRESSED)
    answer(of, 1.0, arm=names.COMPRESSED, number=0)
    found = values_of(of)["search.compression.aware.compressed"]
    assert found.value == pytest.approx(0.5, abs=0.01)
