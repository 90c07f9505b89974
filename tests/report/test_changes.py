"""What counts as moved is beyond the noise of both runs, and seldom chance."""

import csv
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from labs.analysis.statistics import location, mean, normal, within_run
from labs.claims.claim import Claim
from labs.records.names.intervals import TIMES_BETWEEN_RUNS
from labs.records.quantity import Estimate
from reporting.comparison import changes as comparison
from reporting.comparison.changes import FALSE_DISCOVERIES, MOVED, NOISE, SAME, compare, differences
from reporting.comparison.run import Run
from tests.report.evidence import claim

RUNS, VALUES = 500, 20
PROCESSES = 3
REVIEWS = 2000
Row = dict[str, Any]


def number(estimate: Estimate, unit: str = "s", evidence: str = "r.json") -> Row:
    """A row of values.csv, but for its name."""
    return {**vars(estimate), "unit": unit, "evidence": evidence}


def about(value: float, half: float = math.nan, freedom: float = math.inf, unit: str = "s") -> Row:
    """A number whose interval is symmetric, on the scale on which it is compared."""
    if unit in comparison.LOGARITHMIC:
        return number(Estimate(value, value / (1 + half), value * (1 + half), freedom), unit)
    return number(Estimate(value, value - half, value + half, freedom), unit)


def table(rows: Mapping[str, Row]) -> pd.DataFrame:
    columns = ["value", "low", "high", "freedom", "unit", "evidence"]
    found = pd.DataFrame(rows.values(), index=list(rows), columns=columns)
    return found.astype({**dict.fromkeys(columns[:4], float), **dict.fromkeys(columns[4:], str)})


def chance(old: Row, new: Row) -> float:
    return float(comparison.chances(table({"a": old}), table({"a": new}))[0])


def changes(old: Mapping[str, Row], new: Mapping[str, Row], *same: str) -> dict[str, str]:
    return dict(compare(table(old), table(new), same)["change"])


numbers = st.builds(
    about,
    st.floats(0.6, 1e6),
    st.one_of(st.just(math.nan), st.floats(0, 0.5)),
    st.sampled_from([1.0, 2.0, 4.0, math.inf]),
    st.sampled_from(["s", "ratio", "share", "count"]),
)
runs = st.dictionaries(st.sampled_from("abcdefgh"), numbers)


@given(runs)
@settings(deadline=None, max_examples=50)
def test_a_run_does_not_differ_from_itself(run: dict[str, Row]) -> None:
    assert set(changes(run, run).values()) <= {SAME, NOISE}
    assert set(changes(run, run, "r.json").values()) <= {SAME}


@given(runs, runs)
@settings(deadline=None, max_examples=50)
def test_the_direction_does_not_matter(old: dict[str, Row], new: dict[str, Row]) -> None:
    there = compare(table(old), table(new)).sort_index()
    back = compare(table(new), table(old)).sort_index()
    pd.testing.assert_series_equal(there["chance"], back["chance"], check_exact=True)
    swapped = {comparison.NEW: comparison.GONE, comparison.GONE: comparison.NEW}
    assert list(there["change"]) == list(back["change"].replace(swapped))
    assert {name for name, change in there["change"].items() if change == comparison.NEW} == (
        new.keys() - old.keys()
    )


@pytest.mark.parametrize(
    ("unit", "estimate"),
    [("share", lambda logs: mean(logs)), ("s", lambda logs: within_run(np.exp(logs), len(logs)))],
)
def test_the_test_is_that_of_welch(unit: str, estimate: Callable[[Any], Estimate]) -> None:
    rng = np.random.default_rng(1)
    for first, second in ((3, 6), (2, 4), (6, 5)):
        old, new = rng.normal(0, 0.1, first), rng.normal(0.2, 0.3, second)
        found = chance(number(estimate(old), unit), number(estimate(new), unit))
        assert found == pytest.approx(ttest_ind(old, new, equal_var=False).pvalue, rel=1e-6)


@pytest.mark.parametrize("unit", ["s", "share"])
def test_half_widths_of_many_are_added_in_quadrature(unit: str) -> None:
    # As far apart as their half-widths in quadrature: just as likely as the level says.
    apart = 1.1 ** math.sqrt(2) if unit == "s" else 1 + 0.1 * math.sqrt(2)
    found = chance(about(1.0, 0.1, unit=unit), about(apart, 0.1, unit=unit))
    assert found == pytest.approx(0.05, rel=1e-3)


def test_of_the_halves_those_that_face_each_other_count() -> None:
    up, down = Estimate(0.5, 0.49, 0.9), Estimate(0.6, 0.2, 0.61)
    assert chance(number(up, "share"), number(down, "share")) > 0.5, "the wide halves lie between"
    above = Estimate(0.7, 0.69, 0.9)
    assert chance(number(above, "share"), number(down, "share")) < 0.001


def test_intervals_without_width_differ_or_do_not() -> None:
    same, other = about(1.0, 0.0), about(1.1, 0.0)
    assert (chance(same, same), chance(same, other)) == (1, 0)


def test_a_value_that_moved_is_found_and_one_within_its_noise_is_not() -> None:
    old = {"stayed": about(1.0, 0.05, 2), "moved": about(1.0, 0.05, 2)}
    new = {"stayed": about(1.02, 0.05, 2), "moved": about(2.0, 0.05, 2)}
    found = compare(table(old), table(new))
    assert list(found["change"].items()) == [("moved", MOVED), ("stayed", NOISE)]


@pytest.mark.parametrize("unit", ["count", "bytes", "share", "s"])
def test_without_an_interval_numbers_are_compared_exactly(unit: str) -> None:
    old = {"same": about(7.0, unit=unit), "other": about(7.0, unit=unit)}
    new = {"same": about(7.0, unit=unit), "other": about(7.0000001, unit=unit)}
    assert changes(old, new) == {"same": SAME, "other": comparison.DIFFERS}


def test_what_was_not_measured_again_has_no_noise() -> None:
    old, new = {"a": about(1.0, 0.5)}, {"a": about(1.01, 0.5)}
    assert changes(old, new) == {"a": NOISE}
    assert changes(old, new, "r.json") == {"a": comparison.DIFFERS}
    assert changes(old, {"a": {**new["a"], "evidence": "other.json"}}, "r.json") == {"a": NOISE}


def test_what_cannot_be_compared_is_not() -> None:
    old = {name: about(1.0, 0.1) for name in ("unit", "bare", "zero")}
    zero = number(Estimate(1.0, -0.1, 2.0))
    new = {"unit": about(1.0, 0.1, unit="share"), "bare": about(1.0), "zero": zero}
    assert set(changes(old, new).values()) == {comparison.NOT_COMPARED}


def times(rng: np.random.Generator, true: float, spread: float) -> Row:
    """A time over a few processes, as a record would give it."""
    medians = true * np.exp(rng.normal(0, TIMES_BETWEEN_RUNS) + rng.normal(0, spread, PROCESSES))
    return number(location(medians, len(medians)))


def accuracies(rng: np.random.Generator, true: float, spread: float = 0.0) -> Row:
    share = rng.binomial(REVIEWS, true) / REVIEWS
    return number(normal(share, share * (1 - share) / REVIEWS), "share")


def compared(old: Mapping[str, Row], new: Mapping[str, Row]) -> Iterator[pd.DataFrame]:
    """What became of the values of each comparison of runs, of so many values each."""
    before, after = table(old), table(new)
    for start in range(0, len(old), VALUES):
        chosen = slice(start, start + VALUES)
        yield compare(before.iloc[chosen], after.iloc[chosen])


@pytest.mark.parametrize(
    ("make", "least"),
    # Welch's test is careful where few processes are alike.
    [(times, 0.0), (accuracies, 0.03)],
)
def test_where_nothing_moved_few_comparisons_of_runs_list_anything(
    make: Callable[[np.random.Generator, float, float], Row], least: float
) -> None:
    rng = np.random.default_rng(1)
    spreads = enumerate(np.tile(rng.choice([0.01, 0.03], VALUES), RUNS))
    pairs = {str(i): (make(rng, 0.8, one), make(rng, 0.8, one)) for i, one in spreads}
    old, new = ({name: pair[age] for name, pair in pairs.items()} for age in (0, 1))
    found = list(compared(old, new))
    # 0.07 is what chance can make of 0.05 in so many runs.
    assert least <= np.mean([(one["change"] == MOVED).any() for one in found]) <= 0.07
    beyond = np.mean([one["chance"] <= FALSE_DISCOVERIES for one in found])
    assert 0.02 <= beyond <= 0.055, "one comparison alone errs at the level, or less"


def test_of_what_is_listed_little_is_chance() -> None:
    rng = np.random.default_rng(2)
    names = [str(i) for i in range(RUNS // 2 * VALUES)]
    moved = set(names[::5])
    old = {name: accuracies(rng, 0.8) for name in names}
    new = {name: accuracies(rng, 0.86 if name in moved else 0.8) for name in names}
    listed = [set(one.index[one["change"] == MOVED]) for one in compared(old, new)]
    assert np.mean([len(one - moved) / max(1, len(one)) for one in listed]) <= FALSE_DISCOVERIES
    assert len(set.union(*listed) & moved) > 0.9 * len(moved)


RECORD = "results/quick/records/compilation/cpu.json"


def run(**facts: Row) -> Run:
    return Run([], [], {"machine": {}, "samples": {}, "code": {}} | facts)


def test_what_changed_alike_in_several_records_is_one_change() -> None:
    old = run(a={"rounds": "2"}, b={"rounds": "2"}, c={"rounds": "2"})
    new = run(a={"rounds": "9"}, b={"rounds": "9"}, c={"rounds": "2"})
    assert differences(old, new) == [("rounds", "2", "9", "a; b")]


def test_of_a_record_that_only_one_run_has_the_settings_are_not_listed() -> None:
    one = run(fusion={"rounds": "2"}, samples={"fusion.json": "2026-01-01"})
    assert differences(run(), one) == [("samples", comparison.NOTHING, "new", "fusion.json")]
    assert differences(one, run()) == [
        ("samples", "as accepted", comparison.NOTHING, "fusion.json")
    ]


def test_files_of_code_are_named_where_they_differ() -> None:
    old = run(code={"same.py": "1", "edited.py": "1", "gone.py": "1"})
    new = run(code={"same.py": "1", "edited.py": "2", "new.py": "1"})
    assert differences(old, new) == [
        ("code", "as accepted", "new", "edited.py"),
        ("code", "as accepted", comparison.NOTHING, "gone.py"),
        ("code", comparison.NOTHING, "new", "new.py"),
    ]


def test_what_a_gpu_says_of_a_moment_is_no_change_of_machine() -> None:
    old = run(machine={"GPU name": "A", "GPU temperature_celsius": "41", "measured": "yesterday"})
    new = run(machine={"GPU name": "B", "GPU temperature_celsius": "70", "measured": "today"})
    assert differences(old, new) == [("GPU name", "A", "B", "machine")]


def test_claims_of_machines_are_told_apart() -> None:
    mine, theirs = claim(), claim(machine="big node", verdict="refuted")
    old, new = Run([mine], [], {}), Run([mine, theirs], [], {})
    assert comparison.claims(old, new) == [(None, Claim.read(theirs))]
    assert comparison.claims(new, old) == [(Claim.read(theirs), None)]


@pytest.mark.parametrize(
    ("gain", "measured_again", "moved"),
    [
        # The interval is wide: the verdict changed, and its number may be the same.
        ((1.3, 0.9, 1.9), True, NOISE),
        ((0.5, 0.49, 0.51), True, MOVED),
        # Not measured again: what changed is the analysis.
        ((0.5, 0.49, 0.51), False, ""),
    ],
)
def test_a_claim_says_whether_its_number_moved(
    gain: tuple[float, float, float], measured_again: bool, moved: str
) -> None:
    old, new = (
        table({"gain": number(Estimate(*one, freedom=2.0), "ratio", RECORD)})
        for one in ((1.27, 1.25, 1.29), gain)
    )
    change = compare(old, new, [] if measured_again else [RECORD])["change"]
    judged = claim(estimate=gain[0], interval=list(gain[1:]), evidence=RECORD)
    assert comparison.became(Claim.read(judged), new, change) == moved


def test_values_are_read_to_the_last_digit_and_with_their_degrees_of_freedom() -> None:
    head = "name,value,low,high,freedom,unit,evidence\n"
    text = f"{head}a,0.1234567890123456,0.1,2,2,s,r\nb,3,,,inf,count,r\n"
    found = comparison.values(Run([], list(csv.DictReader(text.splitlines())), {}))
    assert tuple(found.loc["a"]) == (0.1234567890123456, 0.1, 2, 2, "s", "r")
    assert found.loc["b", ["low", "high"]].isna().all()
    assert found.loc["b", "freedom"] == math.inf
