"""How long jobs of a preset took, and how many ran side by side."""

from __future__ import annotations

import pytest

from labs.setup.durations import Job, by_rule, of_preset, rate


def job(rule: str, began: float, ended: float, *outputs: str) -> Job:
    """A job that has run."""
    return Job(1, set(), set(outputs), began, ended, rule)


def test_jobs_are_those_of_the_preset_and_those_of_all() -> None:
    ran = [
        job("train", 100.0, 401.0, "results/quick/models/a", "results/quick/records/a"),
        job("train", 400.0, 501.0, "results/quick/records/b"),
        job("train", 100.0, 110.0, "results/smoke/records/a"),
        job("fetch", 90.0, 95.0, "results/data/reviews.parquet"),
    ]
    found = of_preset(ran, "quick")
    assert found == [ran[0], ran[1], ran[3]]
    assert by_rule(found) == {"fetch": 5.0, "train": 201.0}


@pytest.mark.parametrize(
    ("spans", "expected"),
    [([(0, 10), (0, 10)], 2.0), ([(0, 10), (90, 100)], 1.0), ([(0, 10), (5, 10)], 1.5), ([], 1.0)],
)
def test_the_rate_is_how_many_ran_side_by_side_while_any_did(
    spans: list[tuple[float, float]], expected: float
) -> None:
    assert rate([job("a", *span) for span in spans]) == expected
