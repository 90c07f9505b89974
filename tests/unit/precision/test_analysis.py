"""What the searches found follows from the record."""

from __future__ import annotations

import pytest

from labs.analysis.precision import cost, searched, uniform
from labs.analysis.precision.fronts import front, hypervolume
from labs.analysis.precision.judged import Judged
from labs.analysis.precision.studies import Study, layers
from labs.claims.judge import claims_of
from labs.records.names.formats import FORMATS
from labs.records.names.precision import ALL, DIRECT, PAIRS, VALIDATION
from tests.unit.precision.synthetic import BASE, Maker, precision
from tests.unit.synthetic import record


def number(found: dict[str, searched.Value], name: str) -> float:
    """The number of a value."""
    return found[f"precision.{name}"].estimate.value


def test_layers_have_short_names() -> None:
    assert layers(precision()) == ["0.attention.query", "pooler", "classifier"]


def test_a_winner_is_compared_with_float32_on_the_same_reviews() -> None:
    found = searched.values(precision({PAIRS: BASE - 0.05}))
    assert number(found, "pairs.ahead") == pytest.approx(-0.05)
    assert number(found, "pairs.behind") == pytest.approx(0.05)
    assert number(found, "float32.test") == pytest.approx(BASE)


def test_the_best_so_far_is_that_of_the_trials_before() -> None:
    table = searched.trial_table(precision())
    rows = table[table["study"] == PAIRS]
    assert rows["best"].tolist() == pytest.approx([BASE - 0.02, BASE - 0.01, BASE])
    late = table[table["study"] == "lambda 0.01"]
    expected = [BASE - 0.02 - 0.06, BASE - 0.01 - 0.05, BASE - 0.04]
    assert late["best_objective"].tolist() == pytest.approx(expected)


def test_rises_count_what_comes_after() -> None:
    found = searched.values(precision())
    assert number(found, "pairs.rise_after.two") == pytest.approx(0.01)
    assert number(found, "pairs.rise_after.ten") == 0


def test_formats_within_a_point_are_counted() -> None:
    found = searched.values(precision({"log": BASE - 0.02, "binary": BASE - 0.3}))
    assert number(found, "formats.kept") == len(FORMATS) - 2


def test_the_narrowest_width_is_the_least_that_loses_at_most_a_point() -> None:
    worse = {"integer 3 alone": BASE - 0.02, "log 3 alone": BASE - 0.3, "log 8 alone": BASE - 0.2}
    found = uniform.values(precision(worse))
    assert number(found, "narrowest.block_fp") == 3
    assert number(found, "narrowest.integer") == 8
    assert "precision.narrowest.log" not in found
    assert "precision.narrowest.binary" not in found


def test_saved_bytes_are_a_share_of_the_whole_model() -> None:
    found = uniform.values(precision())
    assert number(found, "bytes.linears.saved") == pytest.approx(0.1)
    assert number(found, "bytes.everything.saved") == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("formats", "likely"),
    [(["log"] * 30, False), (["log", "integer", "block_fp 3", "block_fp 8"] * 8, True)],
)
def test_counts_of_one_type_are_unlikely_by_chance(formats: list[str], likely: bool) -> None:
    maker = Maker(0, {})
    maker.model(ALL, BASE, 8, formats, VALIDATION, role="winner")
    judged = Judged(record("precision", {}, facts=maker.facts))
    study = Study(ALL, ALL, ["log", "integer", "block_fp 3", "block_fp 8"], 0.0, two=False)
    chance = searched.chance(judged, study)
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
    table = cost.shared_table(precision({DIRECT: 0.7}))
    rows = table[table["way"] == DIRECT]
    assert rows["predicted"].tolist() == pytest.approx([0.1, 0.1])
    assert rows["rise"].tolist() == pytest.approx([0.1, 0.1])


def test_scores_that_rank_alike_agree_fully() -> None:
    assert number(cost.values(precision()), "scores.agreement") == pytest.approx(1)


def test_replicates_are_judged_together_whatever_each_finds_best() -> None:
    found = precision(replicates=3)
    assert "not measured" not in {claim.verdict for claim in claims_of(found)}
    for analysis in (searched.ANALYSIS, uniform.ANALYSIS, cost.ANALYSIS):
        for name, table in analysis.tables.items():
            assert not table(found).empty, name


def test_replicates_that_disagree_decide_nothing() -> None:
    one, other = (precision({PAIRS: BASE - drop}) for drop in (0.0, 0.05))
    for row in other["facts"]:
        row["process"] = 1
    both = {**one, "facts": one["facts"] + other["facts"]}
    (claim,) = (one for one in claims_of(both) if one.id == "precision.pairs-keep")
    assert claim.verdict == "undecided"
