"""The report tells how each timed experiment was left alone."""

from labs.analysis.frame import Samples
from labs.analysis.timing import timing_table
from tests.unit.kept import Row, fact, record


def sample(process: int, quantity: str, seconds: list[float]) -> Row:
    """Some samples of eager calls."""
    row = {"process": process, "quantity": quantity, "arm": "eager", "case": {}}
    return {**row, "calls": 1, "seconds": seconds}


def test_what_was_taken_again_and_what_counts_although_disturbed_is_told() -> None:
    samples = [
        sample(0, "steady", [1.0, 1.0]),
        sample(0, "disturbed", [2.0]),
        sample(1, "steady", [1.0, 1.0, 3.0]),
    ]
    facts = [
        fact(0, "processes needed", 9, "count", "every arm"),
        fact(1, "disturbed samples kept", 1, "count", "eager"),
    ]
    loads = [{"others": 0.1, "left": 1, "waited": 0.0}, {"others": 1.5, "left": 1, "waited": 4.0}]
    timed = record("fusion/cpu") | {"samples": samples, "facts": facts, "loads": loads}
    row = timing_table([timed]).iloc[0]
    counted = {"processes": 2, "needed": 9, "samples": 6, "taken_again": 1, "disturbed": 1}
    left = {"others": 1.5, "left": 1, "waited": 4.0}
    assert row.to_dict() == {"experiment": "fusion", "device": "cpu", **counted, **left}
    assert Samples(timed).flags("eager").endswith("1 of 6 taken again, 1 of 5 disturbed")


def test_what_was_not_timed_in_fresh_processes_has_no_row() -> None:
    assert timing_table([record("graphs")]).empty
