"""Question 1a runs the lab's batch, or the largest that the job's memory holds."""

from dataclasses import replace

import pytest

from labs.experiments.compilation.lab import fitting
from labs.experiments.compilation.workload import Workload
from labs.measure.limits import MACHINE, Limit

SMALL = Workload("resnet18", 2, 64, (1, 1, 1, 1))


def chosen(monkeypatch: pytest.MonkeyPatch, memory: float, asked: int = 128) -> int:
    """The batch of small images on a machine with so much memory."""
    monkeypatch.setattr(fitting.limits, "memory", lambda: Limit(memory, MACHINE))
    return fitting.largest_batch(SMALL.image_size, SMALL.depths, asked, "cpu")


def test_the_batch_that_was_asked_for_is_run_where_it_fits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chosen(monkeypatch, 24e9) == 128
    assert capsys.readouterr().err == ""


def test_a_smaller_machine_runs_as_many_images_as_it_holds_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = fitting.bytes_kept(Workload("resnet18", 1, 64, (1, 1, 1, 1)))
    memory = fitting.RESERVED + 64 * fitting.WORKING * kept
    assert chosen(monkeypatch, memory + 1) == 64
    assert "128 images need about" in capsys.readouterr().err
    assert chosen(monkeypatch, 1e9) == 1, "one is run in any case"


def test_what_is_kept_for_the_backward_pass_grows_with_the_batch_and_has_no_weights() -> None:
    one, two = (fitting.bytes_kept(replace(SMALL, batch_size=batch)) for batch in (1, 2))
    assert two == pytest.approx(2 * one, rel=0.01)
    weights = sum(parameter.nbytes for parameter in SMALL.build("cpu")[0].parameters())
    assert two < weights, "weights count"
