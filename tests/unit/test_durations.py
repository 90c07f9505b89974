"""How long jobs of a preset took, and how many ran side by side."""

from pathlib import Path

import pytest

from labs.setup.durations import Run, beside, by_rule, keep, of_preset, rate


def test_jobs_are_those_of_the_preset_and_those_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep(Run(["build"], 90.0, 95.0), "logs/build_mxint_cuda.log")
    keep(Run(["train", "0"], 100.0, 401.0), "logs/quick/train/0.log")
    keep(Run(["train", "1"], 400.0, 501.0), "logs/quick/train/1.log")
    keep(Run(["train", "0"], 100.0, 110.0), "logs/smoke/train/0.log")
    beside("logs/quick/half.log").write_text('{"command": [')
    assert by_rule("quick") == {"build_mxint_cuda": 5.0, "train": 201.0}
    assert of_preset("smoke")["train"] == [Run(["train", "0"], 100.0, 110.0)]
    assert by_rule("full") == {"build_mxint_cuda": 5.0}


def test_a_job_during_which_the_clock_was_set_back_has_no_known_duration() -> None:
    assert Run(["train"], 4000.0, 500.0).seconds == 0.0


@pytest.mark.parametrize(
    ("spans", "expected"),
    [([(0, 10), (0, 10)], 2.0), ([(0, 10), (90, 100)], 1.0), ([(0, 10), (5, 10)], 1.5), ([], 1.0)],
)
def test_the_rate_is_how_many_ran_side_by_side_while_any_did(
    spans: list[tuple[float, float]], expected: float
) -> None:
    assert rate([Run([], *span) for span in spans]) == expected
