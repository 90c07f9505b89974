"""What the searches found follows from the record; verdicts follow the data."""

from __future__ import annotations

import pytest

from labs.analysis.precision import cost, searched, uniform
from labs.analysis.precision.fronts import front, hypervolume
from labs.analysis.precision.judged import Judged
from labs.analysis.precision.studies import Study, layers
from labs.claims.judge import RULES
from labs.records.names.formats import FORMATS
from labs.records.names.precision import ALL, DIRECT, PAIRS, PAIRS_QUANTIZED, VALIDATION
from tests.unit.precision.synthetic import BASE, Maker, precision
from tests.unit.synthetic import Row, record


def number(found: dict[str, searched.Value], name: str) -> float:
    """The number of a value."""
    return found[f"precision.{name}"].estimate.value


def verdict(of: Row, claim: str) -> str:
    """The verdict of one claim about a record."""
    rules = [rule for make in RULES["precision"] for rule in make(of)]
    (rule,) = [one for one in rules if one.statement.id == f"precision.{claim}"]
    return rule().verdict


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


def test_a_format_that_is_wide_enough_nowhere_is_not_judged_narrow() -> None:
    never = {f"block_fp {width} alone": 0.5 for width in (3, 8)}
    assert verdict(precision(never), "block_fp-narrowest") == "not measured"


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


@pytest.mark.parametrize(
    ("accuracies", "claim", "expected"),
    [
        ({}, "pairs-keep", "confirmed"),
        ({PAIRS: BASE - 0.05}, "pairs-keep", "refuted"),
        ({PAIRS_QUANTIZED: BASE + 0.05}, "one-width-worse", "confirmed"),
        ({}, "two-fractions-lose", "refuted"),
        (
            {f"integer {width}:2 alone": 0.5 for width in (8, 16, 32)},
            "two-fractions-lose",
            "confirmed",
        ),
        ({}, "log.keeps", "confirmed"),
        ({"log": BASE - 0.1}, "log.keeps", "refuted"),
        ({"binary alone": 0.5}, "scale-helps", "confirmed"),
        ({"binary": BASE + 0.1}, "binary-best", "confirmed"),
        ({"binary": BASE - 0.1}, "binary-best", "refuted"),
        ({"block_fp 3 alone": 0.5}, "block_fp-narrowest", "refuted"),
        ({ALL: BASE + 0.1}, "all.over-best-format", "confirmed"),
        ({}, "all.over-best-format", "no difference"),
        ({ALL: BASE - 0.1}, "all.over-best-format", "refuted"),
        ({"lambda 0.01 bits": 3.0}, "penalty-saves-bits", "confirmed"),
        ({}, "penalty-saves-bits", "refuted"),
        ({"lambda 0.01": BASE - 0.1}, "penalty-keeps-accuracy", "refuted"),
        ({DIRECT: BASE - 0.1}, "search-over.direct", "confirmed"),
        ({}, "search-over.direct", "no difference"),
        ({DIRECT: BASE + 0.1}, "search-over.direct", "refuted"),
        ({"nsga2": BASE + 0.05}, "volume.nsga2.over-random", "confirmed"),
        ({"random": BASE + 0.05}, "volume.tpe.over-random", "refuted"),
    ],
)
def test_verdicts(accuracies: dict[str, float], claim: str, expected: str) -> None:
    assert verdict(precision(accuracies), claim) == expected


def test_replicates_are_judged_together_whatever_each_finds_best() -> None:
    found = precision(replicates=3)
    rules = [rule for make in RULES["precision"] for rule in make(found)]
    assert "not measured" not in {rule().verdict for rule in rules}
    for analysis in (searched.ANALYSIS, uniform.ANALYSIS, cost.ANALYSIS):
        for name, table in analysis.tables.items():
            assert not table(found).empty, name


def test_replicates_that_disagree_decide_nothing() -> None:
    one, other = (precision({PAIRS: BASE - drop}) for drop in (0.0, 0.05))
    for row in other["facts"]:
        row["process"] = 1
    both = {**one, "facts": one["facts"] + other["facts"]}
    assert verdict(both, "pairs-keep") == "undecided"
