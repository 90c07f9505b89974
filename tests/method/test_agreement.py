"""The programs that try the method: how well runs agree, and whether what was planted is found."""

import itertools
import re
import sys
from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from labs.analysis.statistics import location, mean
from labs.measure.quiet import QuietStart
from labs.records.names.intervals import TIMES_BETWEEN_RUNS
from labs.records.quantity import Estimate
from labs.records.record import write
from tests.method import check_agreement, check_timing
from tests.method.check_agreement import Times, of_one_machine, predictions, share_inside
from tests.unit import kept

PROCESSES, VALUES, RUNS = 6, 400, 5
MOMENTS = itertools.count()


def run(values: Sequence[Estimate]) -> Times:
    """A run of its own, of whose values each belongs to another record."""
    found = pd.DataFrame([vars(one) for one in values])
    found["evidence"] = [f"{place}.json" for place in range(len(values))]
    return Times(frozenset({"one"}), {}, found.assign(unit="ratio", finished=next(MOMENTS)))


def test_of_second_estimates_19_in_20_lie_where_the_first_predicts_them() -> None:
    rng = np.random.default_rng(1)
    runs = []
    for _ in range(RUNS):
        between = rng.normal(0, TIMES_BETWEEN_RUNS, (VALUES, 1))
        logs = between + rng.normal(0, 0.1, (VALUES, PROCESSES))
        runs.append(run([location(np.exp(row), len(row)) for row in logs]))
    found = predictions(runs)
    assert len(found) == RUNS * (RUNS - 1) * VALUES
    inside = share_inside(found)
    assert 0.93 < inside.value < 0.97
    assert inside.low < 0.95 < inside.high


def test_of_records_with_as_many_values_the_interval_is_that_of_their_shares() -> None:
    inside = np.random.default_rng(1).random((12, 5)) < 0.6
    found = pd.DataFrame({"evidence": np.repeat(np.arange(12), 5), "inside": inside.ravel()})
    assert astuple(share_inside(found)) == pytest.approx(astuple(mean(inside.mean(axis=1))))


def test_a_prediction_is_wider_than_the_interval_by_the_root_of_two() -> None:
    first = run([Estimate(2.0, 1.0, 4.0)])
    edge = 2 * 2 ** (2**0.5)
    for second, is_inside in ((0.99 * edge, True), (1.01 * edge, False)):
        found = predictions([first, run([Estimate(second, second, second)])])
        assert list(found["inside"])[0] == is_inside
        assert found["half_width"].iloc[0] == pytest.approx(2 ** (2**0.5) - 1)


def test_a_record_that_two_runs_share_predicts_nothing() -> None:
    one = run([Estimate(1.0, 0.9, 1.1)])
    with pytest.raises(ValueError, match="no times in common that were measured twice"):
        predictions([one, one])


def test_runs_of_unlike_processors_are_no_runs_of_one_machine() -> None:
    one = run([Estimate(1.0, 0.9, 1.1)])
    other = replace(one, processors=frozenset({"another"}))
    with pytest.raises(ValueError, match="no runs of one machine: another; one"):
        of_one_machine([one, other])


def said_of(*folders: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["check_agreement.py", *map(str, folders)])
        check_agreement.main()


@pytest.mark.parametrize(
    ("folders", "said"), [(1, "name two folders or more"), (2, "has no records of times")]
)
def test_a_wrong_call_ends_in_one_line(tmp_path: Path, folders: int, said: str) -> None:
    with pytest.raises(SystemExit, match=said) as ended:
        said_of(*[tmp_path] * folders)
    assert "\n" not in str(ended.value.code)


def test_the_claims_that_flip_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = kept.record("loops")
    write(record, tmp_path / "one" / "loops.json")
    record["finished"] = "2026-01-01T00:00:00+00:00"
    for sample in record["samples"]:
        if sample["arm"].startswith("own loop"):
            sample["seconds"] = [9 * seconds for seconds in sample["seconds"]]
    write(record, tmp_path / "slow" / "loops.json")
    said_of(tmp_path / "one", tmp_path / "slow")
    said = capsys.readouterr().out
    assert re.search(r"of \d+ claims: loops.half-again, loops.loop-itself\n", said)


def test_the_rules_of_timing_find_what_was_planted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = "--comparisons 1 --processes 2 --budget 0 --rounds 1 --longer 3 --threads 1"
    monkeypatch.setattr(sys, "argv", ["check_timing.py", *asked.split()])
    # It would wait for a minute where others are at work.
    monkeypatch.setattr(check_timing, "QuietStart", partial(QuietStart, longest=0))
    check_timing.main()
    found = re.search(r"ratio with all samples: ([\d.]+)", capsys.readouterr().out)
    assert found
    assert 2 < float(found[1]) < 4.5
