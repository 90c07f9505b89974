"""Searches on the lab's whole space are read as they were run, and judged by their last trials."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pytest

from labs.evaluation import evaluated, values_of
from labs.experiments.search.lab_space import values as lab_space
from labs.experiments.search.lab_space.figures import draw_lab_space
from labs.experiments.search.names import LAB_SPACE
from labs.records.names.studies import RANDOM, TPE
from labs.records.packed import pack
from tests.unit.kept import RECORDS, Row, fact

LEVEL = (0.6, 0.7, 0.7, 0.65)
HIGHER = (0.6, 0.7, 0.7, 0.75)
"""A search that is ahead of the other one after its last trial alone."""

KEPT = RECORDS["search"]
"""Without searches on the lab's whole space."""

Seeds = Sequence[Sequence[float]]
Lab = Mapping[str, Seeds]


def searched(lab: Lab, startup: int = 2) -> Row:
    """A record of searches with these accuracies, of which equal ones are of one architecture."""
    trials = (
        (seed, share, {"sampler": sampler, "trial": trial, "architecture": f"hidden size {share}"})
        for sampler, seeds in lab.items()
        for seed, accuracies in enumerate(seeds)
        for trial, share in enumerate(accuracies, start=1)
    )
    facts = list(KEPT["facts"])
    for seed, share, case in trials:
        correct = pack(np.arange(1000) < share * 1000)
        facts.append(fact(seed, "correct", correct, "text", LAB_SPACE, split="validation", **case))
        facts.append(fact(seed, "core-seconds", 10.0, "s", LAB_SPACE, **case))
        facts.append(fact(seed, "parameters", 1000, "count", LAB_SPACE, **case))
    return KEPT | {"facts": facts, "spec": KEPT["spec"] | {"startup": startup, "lab_trials": 4}}


def claim(record: Row) -> tuple[str, str]:
    """The verdict on TPE there, and why there is none."""
    claims = evaluated(record).claims
    (found,) = (one for one in claims if one.id == "search.lab_space.tpe-ahead")
    return found.verdict, found.reason


def test_a_search_is_a_row_a_trial_with_its_best_cost_and_repeats() -> None:
    table = lab_space.trial_table(searched({RANDOM: [LEVEL], TPE: [HIGHER]}))
    mine = table[table["sampler"] == "TPE"]
    assert list(mine["trial"]) == [1, 2, 3, 4]
    assert list(mine["accuracy"]) == list(HIGHER)
    assert list(mine["best"]) == [0.6, 0.7, 0.7, 0.75]
    assert list(mine["core_seconds"]) == [10, 20, 30, 40]
    assert list(mine["repeated"]) == [False, False, True, False]


def test_values_are_means_over_the_training_seeds() -> None:
    found = values_of(searched({RANDOM: [LEVEL, LEVEL], TPE: [LEVEL, HIGHER]}))
    numbers = {name: value.value for name, value in found.items()}
    assert numbers["search.lab_space.tpe.best"] == pytest.approx(0.725)
    assert numbers["search.lab_space.ahead"] == pytest.approx(0.025)
    assert numbers["search.lab_space.random.repeats"] == 0.25
    assert numbers["search.lab_space.random.cost"] == 80
    # Student's t with one degree of freedom.
    low = found["search.lab_space.ahead"].low
    assert low == pytest.approx(0.025 - 12.706 * 0.025, rel=1e-3)


@pytest.mark.parametrize(
    ("random", "tpe", "verdict"),
    [
        ([LEVEL, LEVEL], [HIGHER, HIGHER], "confirmed"),
        ([HIGHER, HIGHER], [LEVEL, LEVEL], "refuted"),
        ([LEVEL, HIGHER], [HIGHER, LEVEL], "undecided"),
        # One seed of six disagrees, and the interval over the seeds is above zero.
        ([LEVEL] * 6, [*[(0.6, 0.6, 0.6, 0.8)] * 5, (0.6, 0.6, 0.6, 0.69)], "confirmed"),
    ],
)
def test_the_verdict_is_over_training_seeds(random: Seeds, tpe: Seeds, verdict: str) -> None:
    assert claim(searched({RANDOM: random, TPE: tpe})) == (verdict, "")


@pytest.mark.parametrize(
    ("record", "missing"),
    [
        (KEPT, "a search of the lab's whole space"),
        (searched({RANDOM: [LEVEL] * 2, TPE: [HIGHER] * 2}, 4), "TPE beyond its startup"),
        (searched({RANDOM: [LEVEL], TPE: [HIGHER]}), "several training seeds"),
    ],
)
def test_there_is_no_verdict_on_what_the_preset_leaves_out(record: Row, missing: str) -> None:
    assert claim(record) == ("not measured", f"this preset does not run {missing}")


def test_a_tpe_no_longer_than_its_startup_is_called_random() -> None:
    table = lab_space.trial_table(searched({RANDOM: [LEVEL], TPE: [HIGHER]}, startup=4))
    assert set(table["sampler"]) == {"random", "TPE, all of it random"}


def test_without_such_searches_the_table_is_empty_and_the_figure_says_so() -> None:
    table = lab_space.trial_table(KEPT)
    assert table.empty
    assert {"sampler", "best", "core_seconds"} <= set(table.columns)
    assert draw_lab_space(table).alt == "Not measured."


def test_the_figure_has_a_line_for_each_search() -> None:
    lab = {RANDOM: [LEVEL, LEVEL], TPE: [HIGHER, HIGHER]}
    drawn = draw_lab_space(lab_space.trial_table(searched(lab)))
    by_time = drawn.figure.axes[1]
    drawn_trials = [np.size(line.get_xdata()) for line in by_time.lines]
    assert sorted(drawn_trials) == [0, 0, 4, 4, 4, 4], "two are for the legend"
    assert "TPE, seed 1: 75.0 %" in drawn.alt


def test_what_is_said_of_the_grid_does_not_see_them() -> None:
    lab = {RANDOM: [HIGHER] * 2, TPE: [HIGHER] * 2}
    of_both = values_of(searched(lab, KEPT["spec"]["startup"]))
    of_grid = {name: value for name, value in of_both.items() if ".lab_space." not in name}
    assert repr(of_grid) == repr(values_of(KEPT))


def test_the_parameters_that_matter_most_stand_first_beside_their_share_by_chance() -> None:
    record = searched({RANDOM: [LEVEL] * 2, TPE: [HIGHER] * 2})
    for sampler, seed, layer in product((RANDOM, TPE), (0, 1), range(10)):
        case = {"sampler": sampler, "parameter": f"{layer}.value"}
        for kind, value in (("importance", 0.01 * layer + seed), ("importance by chance", 0.1)):
            record["facts"].append(fact(seed, kind, value, "share", LAB_SPACE, **case))
    table = lab_space.importance_table(record)
    assert list(table["parameter"]) == [f"{layer}.value" for layer in range(9, 1, -1)]
    assert table["random"].iloc[0] == pytest.approx(0.59), "the mean over the seeds"
    assert set(table["tpe_chance"]) == {0.1}
    assert values_of(record)["search.lab_space.importance"].value == len(table)


def test_searches_too_short_for_importances_have_none() -> None:
    record = searched({RANDOM: [LEVEL], TPE: [HIGHER]})
    assert lab_space.importance_table(record).empty
    assert "search.lab_space.importance" not in values_of(record)
