"""What the searches found follows from the record."""

import numpy as np
import pytest

from labs.claims.judge import claims_of
from labs.experiments.compression.quantization.names import FLOAT32
from labs.experiments.precision.cost import values as cost
from labs.experiments.precision.fronts import front, hypervolume
from labs.experiments.precision.judged import Judged
from labs.experiments.precision.names import (
    ALL,
    DIRECT,
    EACH,
    EVERYTHING,
    GRADIENT,
    LINEARS,
    PAIRS,
    TRAINING,
    UNIFORM,
    VALIDATION,
)
from labs.experiments.precision.searched import values as searched
from labs.experiments.precision.studies import Study, layers
from labs.experiments.precision.uniform import values as uniform
from labs.formats.names import FORMATS
from labs.records.answers import pack
from tests.unit.kept import RECORDS, Row, answer, answered, fact, matching, record, told

KEPT = RECORDS["precision"]


def number(found: dict[str, searched.Value], name: str) -> float:
    return found[f"precision.{name}"].estimate.value


def test_layers_have_short_names() -> None:
    found = layers(KEPT)
    assert (found[0], found[-2:]) == ("0.attention.query", ["pooler", "classifier"])


def test_a_winner_is_compared_with_float32_on_the_same_reviews() -> None:
    right = answer(answered("precision", 1.0, arm=PAIRS), 0.75, arm=UNIFORM, spelled=FLOAT32)
    found = searched.values(right)
    assert number(found, "pairs.ahead") == pytest.approx(0.25, abs=1e-3)
    assert number(found, "pairs.behind") == pytest.approx(-0.25, abs=1e-3)
    assert number(found, "float32.test") == pytest.approx(0.75, abs=1e-3)


def test_the_best_so_far_is_that_of_the_trials_before() -> None:
    table = searched.trial_table(KEPT)
    for study, penalty in ((PAIRS, 0.0), ("lambda 0.01", 0.01)):
        rows = table[table["study"] == study]
        assert list(rows["best"]) == list(np.maximum.accumulate(rows["accuracy"]))
        worth = rows["accuracy"] - penalty * rows["bits"]
        assert list(rows["best_objective"]) == list(np.maximum.accumulate(worth))


def test_rises_count_what_comes_after() -> None:
    found = searched.values(answered("precision", 1.0, arm=PAIRS, trial=10))
    best = max(searched.trial_table(KEPT).query(f"study == '{PAIRS}' and trial <= 2")["accuracy"])
    assert number(found, "pairs.rise_after.two") == pytest.approx(1 - best)
    assert number(found, "pairs.rise_after.ten") == 0


def test_formats_within_a_point_are_counted() -> None:
    without = searched.values(answered("precision", 0.2, arm="log"))
    assert number(without, "formats.kept") == number(searched.values(KEPT), "formats.kept") - 1


def test_the_narrowest_width_is_the_least_that_loses_at_most_a_point() -> None:
    assert number(uniform.values(KEPT), "narrowest.block_fp") == 3
    worse = answered("precision", 0.2, arm=UNIFORM, spelled="block_fp 3")
    assert number(uniform.values(worse), "narrowest.block_fp") == 4
    for width in (4, 5, 6, 8):
        answer(worse, 0.2, arm=UNIFORM, spelled=f"block_fp {width}")
    found = uniform.values(worse)
    assert "precision.narrowest.block_fp" not in found
    assert "precision.narrowest.binary" not in found


def test_saved_bytes_are_a_share_of_the_whole_model() -> None:
    sized = record("precision")
    for arm, size in ((FLOAT32, 100), (LINEARS, 90), (EVERYTHING, 25)):
        matching(sized, "facts", {"name": "bytes", "arm": arm})[0]["value"] = size
    found = uniform.values(sized)
    assert number(found, "bytes.linears.saved") == pytest.approx(0.1)
    assert number(found, "bytes.everything.saved") == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("formats", "likely"),
    [(["log"] * 30, False), (["log", "integer", "block_fp 3", "block_fp 8"] * 8, True)],
)
def test_counts_of_one_type_are_unlikely_by_chance(formats: list[str], likely: bool) -> None:
    case = {"split": VALIDATION, "role": "winner"}
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
    measured = told("precision", "loss", 0.5, arm=DIRECT, split=TRAINING)
    matching(measured, "facts", {"name": "training loss"})[0]["value"] = 0.2
    rows = cost.shared_table(measured).query(f"way == '{DIRECT}'")
    foretold = matching(measured, "facts", {"name": "predicted", "arm": DIRECT})
    assert rows["predicted"].tolist() == [row["value"] for row in foretold]
    assert rows["rise"].tolist() == pytest.approx([0.3] * 3)


def test_scores_that_rank_alike_agree_fully() -> None:
    alike = record("precision")
    scores = (matching(alike, "facts", {"name": "score", "arm": way}) for way in (DIRECT, GRADIENT))
    for direct, gradient in zip(*scores, strict=True):
        gradient["value"] = 0.1 * direct["value"]
    assert number(cost.values(alike), "scores.agreement") == pytest.approx(1)


def replicated(replicate: int, of: Row) -> list[Row]:
    """The facts as of another replicate, which finds another format to be the best."""
    study = {"study": list(FORMATS)[replicate]}
    return [
        {**row, "process": replicate, "case": row["case"] | (study if row["arm"] == EACH else {})}
        for row in of["facts"]
    ]


def test_replicates_are_judged_together_whatever_each_finds_best() -> None:
    found = KEPT | {"facts": sum((replicated(number, KEPT) for number in range(3)), [])}
    assert "not measured" not in {claim.verdict for claim in claims_of(found)}
    for analysis in (searched.ANALYSIS, uniform.ANALYSIS, cost.ANALYSIS):
        for name, table in analysis.tables(found, analysis.values(found)).items():
            assert not table.empty, name


def test_replicates_that_disagree_decide_nothing() -> None:
    other = replicated(1, answered("precision", 0.6, arm=PAIRS))
    both = {**KEPT, "facts": KEPT["facts"] + other}
    (claim,) = (one for one in claims_of(both) if one.id == "precision.pairs-keep")
    assert claim.verdict == "undecided"
