"""Arms are interleaved in random order, each once per round."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, chain, count, repeat

import pytest

from labs.measure import rounds
from labs.measure.clock import Call
from labs.measure.disturbance import Counters
from labs.records.timing import Timing

Lost = Callable[[Iterator[bool]], None]


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> Lost:
    """Lets the kernel's counters say which samples were disturbed."""

    def say(disturbed: Iterator[bool]) -> None:
        moments = (lost for each in disturbed for lost in (0.0, float(each)))
        waited = accumulate(moments)
        monkeypatch.setattr(rounds, "counters", lambda: Counters(0.0, next(waited), 0.0))

    return say


@pytest.fixture
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets 0.05 s pass between two looks at the clock that limits retaking, and no other time."""
    moments = count()
    monkeypatch.setattr("labs.measure.rounds.time.monotonic", lambda: 0.05 * next(moments))


def test_every_arm_runs_once_per_round_in_a_changing_order(lost: Lost) -> None:
    lost(repeat(False))
    order: list[str] = []

    def arm(name: str) -> None:
        order.append(name)
        time.sleep(rounds.SAMPLE_SECONDS)

    arms = {name: (lambda name=name: arm(name)) for name in "abc"}
    timings = rounds.interleave(arms, rounds=8, rng=random.Random(0), device="cpu")
    timed = order[-8 * 3 :]
    turns = ["".join(timed[start : start + 3]) for start in range(0, len(timed), 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in turns)
    assert len(set(turns)) > 1
    assert all(len(timing.seconds) == 8 for timing in timings.values())


def test_short_calls_are_sampled_many_at_a_time_and_reported_per_call() -> None:
    timing = rounds.interleave({"short": lambda: None}, 3, random.Random(0), "cpu")["short"]
    assert timing.calls > 1000
    assert max(timing.seconds) < rounds.SAMPLE_SECONDS / 1000


def test_a_disturbed_sample_is_taken_again_and_kept_apart(lost: Lost) -> None:
    lost(chain([True, False, True], repeat(False)))
    timing = rounds.interleave({"arm": lambda: None}, 3, random.Random(0), "cpu")["arm"]
    assert (len(timing.seconds), len(timing.disturbed), timing.kept) == (3, 2, 0)


def test_a_call_that_is_two_arms_is_warmed_up_once(lost: Lost) -> None:
    lost(repeat(False))

    def call() -> None:
        time.sleep(rounds.SAMPLE_SECONDS)

    timings = rounds.interleave({"a": call, "a again": call}, 2, random.Random(0), "cpu")
    assert [len(timing.seconds) for timing in timings.values()] == [2, 2]
    assert [bool(timing.warm_up) for timing in timings.values()] == [True, False]


@pytest.mark.usefixtures("steady_clock")
def test_with_too_few_undisturbed_all_count(lost: Lost, monkeypatch: pytest.MonkeyPatch) -> None:
    lost(repeat(True))
    monkeypatch.setattr(rounds, "RETAKE_SECONDS", 0.2)
    timings = rounds.interleave({arm: lambda: None for arm in "ab"}, 2, random.Random(0), "cpu")
    for timing in timings.values():
        assert len(timing.seconds) == timing.kept > 2
        assert not timing.disturbed


def test_samples_of_a_throttled_gpu_count_only_where_there_are_no_others(
    lost: Lost, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost(repeat(False))
    monkeypatch.setattr(rounds, "RETAKE_SECONDS", 0.1)
    for hot in (chain([True], repeat(False)), repeat(True)):
        monkeypatch.setattr(rounds, "throttled", lambda _, hot=hot: next(hot))
        timing = rounds.interleave({"arm": lambda: None}, 2, random.Random(0), "cpu")["arm"]
        assert timing.throttled == len(timing.disturbed) + timing.kept > 0
        assert len(timing.seconds) >= 2


@pytest.mark.usefixtures("steady_clock")
def test_a_process_retakes_only_for_so_long(lost: Lost, monkeypatch: pytest.MonkeyPatch) -> None:
    lost(repeat(True))
    monkeypatch.setattr(rounds, "RETAKE_SECONDS", 0.2)
    monkeypatch.setattr(rounds, "PROCESS_RETAKE_SECONDS", 0.2)
    monkeypatch.setattr(rounds, "spent_retaking", 0.0)
    taken = [
        len(rounds.interleave({"arm": lambda: None}, 2, random.Random(0), "cpu")["arm"].seconds)
        for _ in range(2)
    ]
    assert taken[0] > 2
    assert taken[1] == 2


def test_a_call_that_runs_once_is_made_anew_for_every_sample(lost: Lost) -> None:
    lost(chain([True], repeat(False)))
    made: list[str] = []

    def make(arm: str) -> Call:
        made.append(arm)
        return lambda: None

    timings = rounds.interleave_fresh("ab", make, 2, random.Random(0), "cpu")
    assert sorted(made) in (["a", "a", "a", "b", "b"], ["a", "a", "b", "b", "b"])
    assert [len(timing.seconds) for timing in timings.values()] == [2, 2]
    assert not any(timing.warm_up for timing in timings.values())


def test_the_time_of_each_item_is_that_of_the_call_shared_out() -> None:
    each = Timing(1, [8.0], [4.0, 6.0], disturbed=[10.0]).each_of(2)
    assert each == Timing(2, [4.0], [2.0, 3.0], disturbed=[5.0])


def test_warm_up_goes_on_until_calls_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    durations = [5.0, 3.0, 2.0, 1.2, 1.0, 1.04, 1.08, 1.0]
    moments = accumulate(moment for each in durations for moment in (0.0, each))
    monkeypatch.setattr("labs.measure.clock.timer", lambda: next(moments))
    assert rounds.warm_up(lambda: None) == pytest.approx(durations[:7])


def test_a_block_is_timed_as_one_and_taken_again_if_disturbed(lost: Lost) -> None:
    lost(chain([True], repeat(False)))
    called: list[str] = []
    arms: dict[str, Call] = {name: partial(called.append, name) for name in "ab"}
    timings = rounds.interleave_blocks(arms, [2, 5], random.Random(0), "cpu")
    calls = {block: timing.calls for block, timing in timings.items()}
    assert calls == {(arm, count): count for arm in "ab" for count in (2, 5)}
    assert all(len(timing.seconds) == 1 for timing in timings.values())
    (again,) = (block for block, timing in timings.items() if timing.disturbed)
    assert len(called) == 2 * (2 + 5) + again[1]


def test_no_blocks_are_timed_where_none_are_asked_for() -> None:
    assert rounds.interleave_blocks({"a": lambda: None}, [], random.Random(0), "cpu") == {}


def test_calls_in_turn_count_from_the_first_and_none_is_taken_again(lost: Lost) -> None:
    lost(chain([True], repeat(False)))
    order: list[str] = []
    arms = {name: partial(order.append, name) for name in "ab"}
    samples = rounds.interleave_from_first_call(arms, 8, random.Random(0))
    assert sorted(order) == sorted("ab" * 8)
    turns = ["".join(order[start : start + 2]) for start in range(0, 16, 2)]
    assert set(turns) == {"ab", "ba"}
    assert sum(sample.disturbed for taken in samples.values() for sample in taken) == 1
