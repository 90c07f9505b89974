"""A job that is timed waits for others, and knows of each sample whether they disturbed it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from labs.measure import quiet
from labs.measure.disturbance import Counters, counters, has_counters
from labs.measure.quiet import QUIET, QuietStart

needs_counters = pytest.mark.skipif(not has_counters(), reason="it is not told what others use")


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.fixture
def one_core() -> Iterator[None]:
    """One core is all that this process, and those that it starts, may use."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usable)})
    yield
    os.sched_setaffinity(0, usable)


@pytest.fixture
def competitor() -> Iterator[None]:
    """Another process that keeps a core busy."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        yield
        other.kill()


@needs_counters
@pytest.mark.usefixtures("one_core", "competitor")
def test_a_competitor_disturbs() -> None:
    before = counters()
    work(0.2)
    assert counters().disturbed_since(before)


@needs_counters
def test_what_a_thread_used_is_counted() -> None:
    before = counters()
    work(0.1)
    assert counters().ran - before.ran >= 0.09


@pytest.mark.parametrize(
    ("waited", "stolen", "disturbed"),
    [(0.0, 0.0, False), (0.01, 0.0, False), (0.03, 0.0, True), (0.0, 0.03, True)],
)
def test_a_fiftieth_lost_disturbs_a_sample(waited: float, stolen: float, disturbed: bool) -> None:
    start = Counters(ran=5, waited=2, stolen=7)
    end = Counters(ran=6, waited=2 + waited, stolen=7 + stolen)
    assert end.disturbed_since(start) == disturbed


def others_use(monkeypatch: pytest.MonkeyPatch, *cores: float) -> None:
    """Have each look see the next of these numbers, on four cores."""
    seen = iter(cores)
    monkeypatch.setattr(quiet, "cores_in_use", lambda: next(seen))
    monkeypatch.setattr("labs.measure.threads.usable_cores", lambda: 4)


@needs_counters
@pytest.mark.usefixtures("competitor")
def test_a_job_waits_for_others_once_and_then_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    start = QuietStart(longest=1.0)
    first, second = start.wait(), start.wait()
    assert first["waited"] == 1.0
    assert second["waited"] == 0.0
    assert min(first["others"], second["others"]) > QUIET
    assert capfd.readouterr().err.count("waiting up to 1 s for them") == 1


@needs_counters
@pytest.mark.usefixtures("competitor")
def test_a_core_that_others_keep_is_left_to_them(capfd: pytest.CaptureFixture[str]) -> None:
    threads = QuietStart(longest=0).threads("all")
    assert 1 <= threads <= max(1, quiet.thread_count("all") - 1)
    assert f"cores busy: timing with {threads}" in capfd.readouterr().err


@needs_counters
@pytest.mark.parametrize(
    ("cores", "left"),
    [([0.0], 0), ([1.0, 0.05], 0), ([0.9, 1.1, 1.0], 1), ([0.2, 0.4, 1.8], 1), ([9.0] * 3, 3)],
    ids=["quiet", "soon quiet", "one core", "one on average", "more than there are"],
)
def test_as_many_cores_are_left_as_others_kept_on_average(
    monkeypatch: pytest.MonkeyPatch, cores: list[float], left: int
) -> None:
    others_use(monkeypatch, *cores)
    start = QuietStart(longest=1.0)
    assert (start.threads("all"), start.left) == (4 - left, left)


@needs_counters
def test_a_number_of_threads_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    others_use(monkeypatch)
    assert QuietStart().threads("4") == 4


@needs_counters
def test_cores_that_are_left_are_not_waited_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    others_use(monkeypatch, 1.0, 1.0, 1.0, 1.05, 1.3, 1.0)
    start = QuietStart(longest=1.0)
    start.threads("all")
    start.seconds = 1.0
    assert start.wait() == {"others": 1.05, "left": 1, "waited": 1.0}
    assert start.wait() == {"others": 1.0, "left": 1, "waited": 0.5}
