"""What counts as moved is beyond the noise of both runs, and seldom chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.analysis.statistics import Estimate, location, normal
from labs.comparison.numbers import (
    FALSE_DISCOVERIES,
    LOGARITHMIC,
    Number,
    chance,
    compare,
    discoveries,
    numbers,
)
from labs.records.names.intervals import TIMES_BETWEEN_RUNS

RUNS, VALUES = 500, 100
PROCESSES = 3
REVIEWS = 2000


def number(
    value: float, half: float = math.nan, freedom: float = math.inf, unit: str = "s"
) -> Number:
    """A number whose interval is symmetric, on the scale on which it is compared."""
    if unit in LOGARITHMIC:
        low, high = value / (1 + half), value * (1 + half)
    else:
        low, high = value - half, value + half
    return Number(Estimate(value, low, high, freedom), unit, "r.json")


@st.composite
def any_number(draw: st.DrawFn) -> Number:
    """A number as values.csv may hold it: with an interval, or without one."""
    unit = draw(st.sampled_from(["s", "ratio", "share", "count", "bytes"]))
    half = draw(st.one_of(st.just(math.nan), st.floats(0, 0.5)))
    freedom = draw(st.sampled_from([1.0, 2.0, 4.0, math.inf]))
    return number(draw(st.floats(0.6, 1e6)), half, freedom, unit)


runs = st.dictionaries(st.sampled_from("abcdefgh"), any_number())


@given(runs)
def test_a_run_does_not_differ_from_itself(run: dict[str, Number]) -> None:
    for same in (frozenset[str](), frozenset({"r.json"})):
        found = compare(run, run, same)
        assert not (found.moved or found.differing or found.new or found.gone)


@given(runs, runs)
def test_every_value_is_in_one_place(old: dict[str, Number], new: dict[str, Number]) -> None:
    found = compare(old, new)
    not_compared = [name for names in found.not_compared.values() for name in names]
    assert len(found.tested) + found.exact + len(not_compared) == len(old.keys() & new.keys())
    assert (set(found.new), set(found.gone)) == (new.keys() - old.keys(), old.keys() - new.keys())


@given(runs, runs)
def test_the_direction_does_not_matter(old: dict[str, Number], new: dict[str, Number]) -> None:
    there, back = compare(old, new), compare(new, old)
    assert {one.name: one.chance for one in there.tested} == {
        one.name: one.chance for one in back.tested
    }
    assert {one.name for one in there.moved} == {one.name for one in back.moved}
    assert [one.name for one in there.differing] == [one.name for one in back.differing]
    assert (there.new, there.gone) == (back.gone, back.new)
    assert sorted(map(len, there.not_compared.values())) == (
        sorted(map(len, back.not_compared.values()))
    )


@given(st.floats(1e-6, 1e6), st.floats(0.001, 0.2), st.sampled_from(["s", "share"]))
def test_half_widths_of_equal_intervals_are_added_in_quadrature(
    value: float, half: float, unit: str
) -> None:
    old = number(value, half, unit=unit)
    low, high = old.estimate.low, old.estimate.high
    assume(high > low)
    # As far apart as their half-widths in quadrature: just as likely as the level says.
    at = value * (high / value) ** math.sqrt(2) if unit == "s" else value + half * math.sqrt(2)
    new = number(at, half, unit=unit)
    assert chance(old, new) == pytest.approx(0.05, rel=1e-3)


def test_of_the_halves_those_that_face_each_other_count() -> None:
    up = Number(Estimate(0.5, 0.49, 0.9), "share", "r.json")
    down = Number(Estimate(0.6, 0.2, 0.61), "share", "r.json")
    assert chance(up, down) > 0.5, "the wide halves lie between them"
    assert chance(replace(up, estimate=Estimate(0.7, 0.69, 0.9)), down) < 0.001


def test_few_processes_make_a_difference_less_sure() -> None:
    chances = [chance(number(1.0, 0.1, k), number(1.3, 0.1, k)) for k in (math.inf, 20, 2)]
    assert chances == sorted(chances)
    assert chances[0] < 1e-3 < chances[2]


def test_a_value_that_moved_is_found_and_one_within_its_noise_is_not() -> None:
    old = {"moved": number(1.0, 0.05, 2), "stayed": number(1.0, 0.05, 2)}
    new = {"moved": number(2.0, 0.05, 2), "stayed": number(1.02, 0.05, 2)}
    found = compare(old, new)
    assert [pair.name for pair in found.moved] == ["moved"]
    assert len(found.tested) == 2


@pytest.mark.parametrize("unit", ["count", "bytes", "share", "s"])
def test_without_an_interval_numbers_are_compared_exactly(unit: str) -> None:
    old = {"same": number(7.0, unit=unit), "other": number(7.0, unit=unit)}
    found = compare(old, {"same": number(7.0, unit=unit), "other": number(7.0000001, unit=unit)})
    assert [pair.name for pair in found.differing] == ["other"]
    assert (found.exact, found.tested) == (2, [])


def test_what_was_not_measured_again_has_no_noise() -> None:
    old, new = {"a": number(1.0, 0.5)}, {"a": number(1.01, 0.5)}
    assert not compare(old, new).moved
    found = compare(old, new, frozenset({"r.json"}))
    assert [pair.name for pair in found.differing] == ["a"]
    elsewhere = {"a": replace(new["a"], evidence="other.json")}
    assert len(compare(old, elsewhere, frozenset({"r.json"})).tested) == 1


def test_what_cannot_be_compared_says_why() -> None:
    old = {"unit": number(1.0, 0.1), "bare": number(1.0, 0.1), "zero": number(1.0, 0.1)}
    new = {
        "unit": number(1.0, 0.1, unit="share"),
        "bare": number(1.0),
        "zero": Number(Estimate(1.0, -0.1, 2.0), "s", "r.json"),
    }
    assert compare(old, new).not_compared == {
        "their unit was s and is share": ["unit"],
        "only one run has an interval": ["bare"],
        "an interval of a time, rate or ratio reaches zero": ["zero"],
    }


@given(st.lists(st.floats(0, 1), max_size=30))
def test_the_least_likely_are_believed_first(chances: list[float]) -> None:
    believed = discoveries(chances)
    kept = [one for one, is_kept in zip(chances, believed, strict=True) if is_kept]
    dropped = [one for one, is_kept in zip(chances, believed, strict=True) if not is_kept]
    assert max(kept, default=0) <= min(dropped, default=1)
    assert all(one <= FALSE_DISCOVERIES for one in kept)
    assert all(one > FALSE_DISCOVERIES / len(chances) for one in dropped)


def test_discoveries_are_those_of_the_paper() -> None:
    # Benjamini and Hochberg (1995), section 4: of these fifteen the first four are rejected.
    chances = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    chances += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]
    assert discoveries(chances) == [True] * 4 + [False] * 11


def times(rng: np.random.Generator, true: float, spread: float) -> Number:
    """A time over a few processes, as a record would give it."""
    medians = true * np.exp(rng.normal(0, TIMES_BETWEEN_RUNS) + rng.normal(0, spread, PROCESSES))
    return Number(location(medians, len(medians)), "s", "r.json")


def accuracies(rng: np.random.Generator, true: float, spread: float) -> Number:
    """A share over many reviews."""
    share = rng.binomial(REVIEWS, true) / REVIEWS
    return Number(normal(share, share * (1 - share) / REVIEWS), "share", "r.json")


@pytest.mark.parametrize(
    ("make", "least"),
    # Welch's test is careful where few processes are alike.
    [(times, 0.0), (accuracies, 0.03)],
)
def test_where_nothing_moved_few_comparisons_of_runs_list_anything(
    make: Callable[[np.random.Generator, float, float], Number], least: float
) -> None:
    rng = np.random.default_rng(1)
    spreads = rng.choice([0.01, 0.03], VALUES)
    listed, beyond = [], []
    for _ in range(RUNS):
        old, new = ({str(i): make(rng, 0.8, s) for i, s in enumerate(spreads)} for _ in range(2))
        found = compare(old, new)
        listed.append(bool(found.moved))
        beyond.append(np.mean([pair.chance <= FALSE_DISCOVERIES for pair in found.tested]))
    # 0.07 is what chance can make of 0.05 in so many runs.
    assert least <= np.mean(listed) <= 0.07
    assert 0.02 <= np.mean(beyond) <= 0.055, "one comparison alone errs at the level, or less"


def test_of_what_is_listed_little_is_chance() -> None:
    rng = np.random.default_rng(2)
    shares, found_of_moved = [], []
    moved = {str(i) for i in range(VALUES // 5)}
    for _ in range(RUNS // 5):
        old = {str(i): accuracies(rng, 0.8, 0) for i in range(VALUES)}
        new = {name: accuracies(rng, 0.86 if name in moved else 0.8, 0) for name in old}
        listed = {pair.name for pair in compare(old, new).moved}
        shares.append(len(listed - moved) / max(1, len(listed)))
        found_of_moved.append(len(listed & moved) / len(moved))
    assert np.mean(shares) <= FALSE_DISCOVERIES
    assert np.mean(found_of_moved) > 0.9


def test_values_are_read_with_their_degrees_of_freedom() -> None:
    found = numbers(
        "name,value,low,high,freedom,unit,evidence\na,1,0.5,2,2,s,r\nb,3,,,inf,count,r\n"
    )
    assert found["a"] == Number(Estimate(1, 0.5, 2, 2), "s", "r")
    assert not found["b"].has_interval
    with pytest.raises(KeyError, match="freedom"):
        numbers("name,value,low,high,unit,evidence\na,1,0.5,2,s,r\n")
