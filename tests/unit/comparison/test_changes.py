"""What differs around the numbers, in verdicts and in drawings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from labs.comparison import ComparisonError, around
from labs.comparison.changes import NOTHING, Change, changes, differences, items
from labs.comparison.run import Run
from tests.report.evidence import claim
from tests.unit import synthetic

RECORD = "results/quick/records/compilation/cpu.json"
HEAD = "name,value,low,high,freedom,unit,evidence\n"


def run(gain: tuple[float, float, float] = (1.27, 1.25, 1.29), **changes: Any) -> Run:
    """A run with one measured value, and a claim about it."""
    value, low, high = gain
    made = Run(
        taken="2026-11-20T14:03:22+00:00",
        commit="c0ffee",
        around={"compilation, cpu": {"setting": {"rounds": "5"}}},
        finished={RECORD: "2026-11-20T14:00:00+00:00"},
        claims=[claim(estimate=value, interval=[low, high])],
        tables={"values": f"{HEAD}gain,{value},{low},{high},2.0,ratio,{RECORD}\n"},
        figures={"iterations": {"svg": "<svg/>", "alt": "A line."}},
    )
    return replace(made, **changes)


LATER = {RECORD: "2026-11-21T14:00:00+00:00"}


def test_a_run_against_itself_is_empty() -> None:
    found = changes(run(), run())
    assert found.is_empty
    assert (found.kept, found.numbers.exact, found.figures.same, found.tables.same) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"around": {"compilation, cpu": {"setting": {"rounds": "9"}}}},
        {"around": {}},
        {"claims": []},
        {"claims": [claim(verdict="refuted")]},
        {"tables": {"values": HEAD}},
        {"tables": {"values": run().tables["values"].replace("1.27", "1.28")}},
        {"tables": {**run().tables, "machine": ""}},
        {"figures": {}},
        {"figures": {"iterations": {"svg": "<svg></svg>", "alt": "A line."}}},
    ],
)
def test_anything_that_differs_is_seen_in_both_directions(other: dict[str, Any]) -> None:
    assert not changes(run(), run(**other)).is_empty
    assert not changes(run(**other), run()).is_empty


@pytest.mark.parametrize(
    ("gain", "finished", "moved"),
    [
        # The interval is wide: the verdict changed, and its number may be the same.
        ((1.3, 0.9, 1.9), LATER, False),
        ((0.5, 0.49, 0.51), LATER, True),
        # Not measured again: what changed is the analysis.
        ((0.5, 0.49, 0.51), run().finished, None),
    ],
)
def test_a_verdict_that_changed_says_whether_its_number_moved(
    gain: tuple[float, float, float], finished: dict[str, str], moved: bool | None
) -> None:
    value, low, high = gain
    judged = claim(verdict="undecided", estimate=value, interval=[low, high])
    (found,) = changes(run(), run(gain, finished=finished, claims=[judged])).verdicts
    assert (found.old["verdict"], found.new["verdict"]) == ("confirmed", "undecided")
    assert found.moved is moved


def test_claims_of_machines_are_told_apart() -> None:
    mine, theirs = claim(), claim(machine="big node", verdict="refuted")
    found = changes(run(claims=[mine]), run(claims=[mine, theirs]))
    assert (found.kept, found.verdicts, found.new) == (1, [], [theirs])


def test_values_without_degrees_of_freedom_are_refused_with_the_remedy() -> None:
    old = run(tables={"values": "name,value,low,high,unit,evidence\na,1,0.5,2,s,r\n"})
    with pytest.raises(ComparisonError, match="'freedom'.*make report, then make accept"):
        changes(old, run())


def test_what_changed_alike_in_several_records_is_one_change() -> None:
    two, nine = {"setting": {"rounds": "2"}}, {"setting": {"rounds": "9"}}
    found = differences({"a": two, "b": two, "c": two}, {"a": nine, "b": nine, "c": two})
    assert found == [Change("setting", "rounds", "2", "9", ("a", "b"))]


def test_a_record_that_only_one_run_has_is_no_list_of_its_settings() -> None:
    measured = around.of_record(synthetic.record("fusion", {}), {})
    found = differences({}, {"fusion, cpu": measured})
    assert found == [Change("record", "status", NOTHING, "measured", ("fusion, cpu",))]


def test_a_device_that_is_gone_is_seen() -> None:
    measured = synthetic.record("fusion", {})
    absent = {"experiment": "fusion", "device": "cpu", "status": "not measured: no device"}
    old, new = ({"fusion, cpu": around.of_record(one, {})} for one in (measured, absent))
    assert Change("record", "status", "measured", absent["status"], ("fusion, cpu",)) in (
        differences(old, new)
    )


@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        # The files of both are known: only the one that differs is named.
        (
            {"aa": {"x.py": "1", "y.py": "1"}, "bb": {"x.py": "1", "y.py": "2"}},
            [("y.py", "1", "2")],
        ),
        # Code that no longer lies in the folder is known by its digest alone.
        ({"bb": {"x.py": "1", "y.py": "2"}}, [("all files", "aa", "bb")]),
    ],
)
def test_code_differs_by_file_where_the_files_are_known(
    programs: dict[str, dict[str, str]], expected: list[tuple[str, str, str]]
) -> None:
    environments = ({**synthetic.ENVIRONMENT, "code": code} for code in ("aa", "bb"))
    old, new = (
        {
            "fusion, cpu": around.of_record(
                {**synthetic.record("fusion", {}), "environment": one}, programs
            )
        }
        for one in environments
    )
    found = differences(old, new)
    assert [(one.what, one.old, one.new) for one in found] == expected
    assert {one.kind for one in found} == {"code"}


def test_what_a_gpu_says_of_a_moment_is_no_change_of_machine() -> None:
    gpu = {"name": "A GPU", "temperature_celsius": 41, "power_watts": 70.5}
    record = synthetic.record("fusion", {})
    record = {**record, "environment": {**record["environment"], "gpu": gpu}}
    assert {
        key: value for key, value in around.of_record(record, {})["machine"].items() if "GPU" in key
    } == {"GPU name": "A GPU"}


def test_files_are_the_same_to_the_byte_or_differ() -> None:
    found = items({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"})
    assert (found.same, found.differing, found.new, found.gone) == (1, ["b"], ["d"], ["c"])
