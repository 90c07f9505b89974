"""Arms are interleaved in random order, each once per round."""

import random
import time

from labs.measure.rounds import SAMPLE_SECONDS, interleave, warm_up


def test_every_arm_runs_once_per_round_in_a_changing_order() -> None:
    order: list[str] = []

    def arm(name: str) -> None:
        order.append(name)
        time.sleep(SAMPLE_SECONDS)

    arms = {name: (lambda name=name: arm(name)) for name in "abc"}
    timings = interleave(arms, rounds=8, rng=random.Random(0), device="cpu")
    timed = order[-8 * 3 :]
    rounds = ["".join(timed[start : start + 3]) for start in range(0, len(timed), 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds)
    assert len(set(rounds)) > 1
    assert all(len(timing.seconds) == 8 for timing in timings.values())


def test_short_calls_are_sampled_many_at_a_time_and_reported_per_call() -> None:
    timing = interleave({"short": lambda: None}, 3, random.Random(0), "cpu")["short"]
    assert timing.calls > 1000
    assert max(timing.seconds) < SAMPLE_SECONDS / 1000


def test_warm_up_goes_on_until_calls_agree() -> None:
    durations = iter([0.05, 0.03, 0.02] + [0.01] * 10)
    seconds = warm_up(lambda: time.sleep(next(durations)))
    assert len(seconds) > 3
    assert max(seconds[-3:]) <= 1.1 * min(seconds[-3:])
