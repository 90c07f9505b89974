"""The report tells how each timed experiment was left alone."""

from labs.analysis.frame import Samples
from labs.analysis.timing import timing_table
from tests.unit import synthetic
from tests.unit.synthetic import fact, sample

NEEDS = fact(0, "processes needed", 9, "count", "every arm")


def test_what_was_taken_again_and_what_counts_although_disturbed_is_told() -> None:
    samples = [
        sample(0, "steady", "eager", [1.0, 1.0]),
        sample(0, "disturbed", "eager", [2.0]),
        sample(1, "steady", "eager", [1.0, 1.0, 3.0]),
    ]
    kept = fact(1, "disturbed samples kept", 1, "count", "eager")
    record = synthetic.record("fusion", {}, samples=samples, facts=[NEEDS, kept])
    load = record["loads"][0]
    record["loads"] = [
        load | {"others": 0.1, "left": 1, "waited": 0.0},
        load | {"others": 1.5, "left": 1, "waited": 4.0},
    ]
    row = timing_table([record]).iloc[0]
    assert row.to_dict() == {
        "experiment": "fusion",
        "device": "cpu",
        "processes": 2,
        "needed": 9,
        "samples": 6,
        "taken_again": 1,
        "disturbed": 1,
        "others": 1.5,
        "left": 1,
        "waited": 4.0,
    }
    assert Samples(record).flags("eager").endswith("1 of 6 taken again, 1 of 5 disturbed")


def test_what_was_not_timed_in_fresh_processes_has_no_row() -> None:
    assert timing_table([synthetic.record("graphs", {})]).empty
