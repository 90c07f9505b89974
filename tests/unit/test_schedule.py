"""When jobs would end on nodes that are all alike."""

import pytest

from labs.setup.plan import Job
from labs.setup.schedule import wall_seconds


def job(seconds: float, cores: int = 1, needs: str = "", makes: str = "") -> Job:
    files = frozenset(needs.split()), frozenset(makes.split())
    return Job("train", "Training", cores, *files, "log", seconds)


@pytest.mark.parametrize(
    ("jobs", "nodes", "seconds"),
    [
        ([job(6), job(4), job(2)], 1, 6),
        ([job(6), job(4), job(2), job(2)], 1, 8),
        # A timing job has a node to itself.
        ([job(6), job(5, cores=2)], 1, 11),
        ([job(6), job(5, cores=2)], 2, 6),
        # What fits overtakes it.
        ([job(5), job(4, cores=2), job(6)], 1, 10),
        # Cores that are free at the same time are free together.
        ([job(6), job(6), job(2, cores=2, makes="a"), job(3), job(5, needs="a")], 1, 13),
        # A node has no more cores than it has.
        ([job(3, cores=8)], 1, 3),
        # What needs a file waits for it; a file that no job makes is there.
        ([job(6, makes="a"), job(4, needs="a data")], 2, 10),
        ([], 1, 0),
    ],
)
def test_wall_time_is_that_of_a_schedule(jobs: list[Job], nodes: int, seconds: float) -> None:
    assert wall_seconds(jobs, nodes, cores=2) == seconds
