"""How well runs agree is said of all pairs, and of the values that were measured apart."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from labs.analysis.statistics import Estimate, location
from labs.comparison import ComparisonError
from labs.comparison.agreement import Times, agreement, predicted
from labs.comparison.numbers import Number
from labs.records.names.intervals import TIMES_BETWEEN_RUNS
from tests.report.quick import KEPT, RECORDS

PROCESSES, VALUES, RUNS = 6, 400, 5
MOMENTS = itertools.count()


def run(values: Mapping[str, Estimate], records: int = VALUES, **verdicts: str) -> Times:
    """A run of its own, whose values belong to so many records in turn."""
    found = {
        name: Number(one, "ratio", f"{place % records}.json")
        for place, (name, one) in enumerate(values.items())
    }
    moment = f"run {next(MOMENTS)}"
    finished = dict.fromkeys((one.evidence for one in found.values()), moment)
    return Times(verdicts or {"claim": "confirmed"}, found, finished)


def drawn(rng: np.random.Generator, shift: float = 0.0) -> dict[str, Estimate]:
    """Values whose processes scatter by a tenth, in a run that is slower by ``shift``."""
    logs = rng.normal(shift, 0.1, (VALUES, PROCESSES)) + rng.normal(
        0, TIMES_BETWEEN_RUNS, (VALUES, 1)
    )
    return {str(place): location(np.exp(row), len(row)) for place, row in enumerate(logs)}


def test_of_second_estimates_19_in_20_lie_where_the_first_predicts_them() -> None:
    rng = np.random.default_rng(1)
    found = agreement([run(drawn(rng)) for _ in range(RUNS)])
    assert found.all.estimates == RUNS * (RUNS - 1) * VALUES
    assert 0.93 < found.all.inside.value < 0.97
    assert found.all.inside.low < 0.95 < found.all.inside.high


def test_runs_of_machines_of_different_speed_do_not_agree() -> None:
    rng = np.random.default_rng(1)
    assert agreement([run(drawn(rng)), run(drawn(rng, 0.5))]).all.inside.value < 0.2


def test_values_of_few_records_say_less_than_as_many_of_many() -> None:
    few, many = (
        agreement([run(drawn(np.random.default_rng(seed)), records) for seed in range(RUNS)])
        for records in (3, VALUES)
    )
    assert few.all.inside.freedom == 2
    assert few.all.inside.value == many.all.inside.value


def test_a_prediction_is_wider_than_the_interval_by_the_root_of_two() -> None:
    low, high = predicted(Estimate(2.0, 1.0, 4.0))
    assert np.log2([low, high]) == pytest.approx([1 - 2**0.5, 1 + 2**0.5])


def test_only_opposite_verdicts_are_flips() -> None:
    one = {"a": Estimate(1.0, 0.9, 1.1)}
    runs = [
        run(one, same="confirmed", weaker="confirmed", opposite="confirmed"),
        run(one, same="confirmed", weaker="undecided", opposite="undecided"),
        run(one, same="confirmed", weaker="no difference", opposite="refuted"),
    ]
    found = agreement(runs)
    assert (found.claims, found.flipped) == (3, ["opposite"])
    assert [one.undecided for one in runs] == [0, 2 / 3, 0]


def test_a_record_that_two_runs_share_predicts_nothing() -> None:
    one = run({"a": Estimate(1.0, 0.9, 1.1)})
    with pytest.raises(ComparisonError, match="measured twice"):
        agreement([one, one])


def test_runs_without_a_common_value_are_refused() -> None:
    with pytest.raises(ComparisonError, match="no times in common"):
        agreement([run({"a": Estimate(1.0, 0.9, 1.1)}), run({"b": Estimate(1.0, 0.9, 1.1)})])


@pytest.mark.parametrize(
    ("folders", "said"), [(1, "name two folders or more"), (2, "has no records of times")]
)
def test_a_wrong_call_ends_in_one_line(tmp_path: Path, folders: int, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/check_agreement.py", *[str(tmp_path)] * folders],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_the_claims_that_flip_are_named(tmp_path: Path) -> None:
    with ZipFile(KEPT) as archive:
        record = json.loads(archive.read(f"{RECORDS}/loops.json"))
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "loops.json").write_text(json.dumps(record))
    record["finished"] = "2026-01-01T00:00:00+00:00"
    for sample in record["samples"]:
        if sample["arm"].startswith("own loop"):
            sample["seconds"] = [9 * seconds for seconds in sample["seconds"]]
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "loops.json").write_text(json.dumps(record))
    done = subprocess.run(
        [sys.executable, "scripts/check_agreement.py", tmp_path / "one", tmp_path / "slow"],
        capture_output=True,
        text=True,
        check=True,
    )
    flipped = re.search(r"refuted by another, of \d+ claims: (.*)", done.stdout)
    assert flipped
    assert flipped[1] == "loops.half-again, loops.loop-itself"
