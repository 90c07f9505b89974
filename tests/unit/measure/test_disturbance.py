"""Samples during which others took the processor are known by the kernel's counters."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from labs.measure.disturbance import Counters, counted, counters

needs_counters = pytest.mark.skipif(not counted(), reason="this system counts no lost time")


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.fixture
def competitor() -> Iterator[None]:
    """Another process that wants the only core that this one may use."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usable)})
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        yield
        other.kill()
    os.sched_setaffinity(0, usable)


@needs_counters
@pytest.mark.usefixtures("competitor")
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
def test_a_sample_is_disturbed_if_it_lost_more_than_a_fiftieth(
    waited: float, stolen: float, disturbed: bool
) -> None:
    start = Counters(ran=5, waited=2, stolen=7)
    end = Counters(ran=6, waited=2 + waited, stolen=7 + stolen)
    assert end.disturbed_since(start) == disturbed
