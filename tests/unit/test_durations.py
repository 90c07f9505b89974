"""How long jobs took, from what Snakemake keeps of each of their files."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from labs.setup.durations import Ran, jobs, rate, seconds


def keep(folder: Path, output: str, rule: str, began: float, ended: float | None) -> None:
    """Keep an output as Snakemake does."""
    folder.mkdir(exist_ok=True)
    name = base64.urlsafe_b64encode(output.encode()).decode()
    kept = {"rule": rule, "shellcmd": f"{rule} {began}", "starttime": began, "endtime": ended}
    (folder / name).write_text(json.dumps(kept))


def test_jobs_are_those_of_the_preset_and_those_of_all(tmp_path: Path) -> None:
    keep(tmp_path, "results/quick/models/a", "train", 100.0, 400.0)
    keep(tmp_path, "results/quick/records/a", "train", 100.0, 401.0)
    keep(tmp_path, "results/quick/records/b", "train", 400.0, 501.0)
    keep(tmp_path, "results/quick/records/c", "killed", 400.0, None)
    keep(tmp_path, "results/smoke/records/a", "train", 100.0, 110.0)
    keep(tmp_path, "results/data/reviews.parquet", "fetch", 90.0, 95.0)
    found = jobs(tmp_path, "quick")
    assert sorted(found) == [
        ("fetch", 90.0, 95.0),
        ("train", 100.0, 401.0),
        ("train", 400.0, 501.0),
    ]
    assert seconds(found) == {"fetch": 5.0, "train": 201.0}
    assert jobs(tmp_path / "none", "quick") == []


@pytest.mark.parametrize(
    ("spans", "expected"),
    [([(0, 10), (0, 10)], 2.0), ([(0, 10), (90, 100)], 1.0), ([(0, 10), (5, 10)], 1.5), ([], 1.0)],
)
def test_the_rate_is_how_many_ran_side_by_side_while_any_did(
    spans: list[tuple[float, float]], expected: float
) -> None:
    assert rate([Ran("a", *span) for span in spans]) == expected
