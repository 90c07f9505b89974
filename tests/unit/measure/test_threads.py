"""Threads come from the settings, capped by the cores this process may use."""

import os

import pytest

from labs.measure.threads import thread_count


def test_a_number_is_capped_by_the_affinity_not_by_the_scheduler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert thread_count("4") == 2
    assert thread_count("1") == 1


@pytest.mark.parametrize("asked", ["0", "-1", "two", "1.5", ""])
def test_anything_else_is_refused(asked: str) -> None:
    with pytest.raises(ValueError, match="threads"):
        thread_count(asked)
