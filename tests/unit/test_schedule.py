"""When jobs would end on a cluster: what the simulation knows of SLURM, Snakemake and studies."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from labs.setup.durations import Job
from labs.setup.schedule import Site, ideal_seconds, wall_seconds
from labs.setup.study_schedule import Trials, grouped, in_journals, shared


def job(
    seconds: float, cores: int | None = 1, needs: str = "", makes: str = "", rule: str = ""
) -> Job:
    """A job that took so long."""
    return Job(cores, set(needs.split()), set(makes.split()), 100.0, 100.0 + seconds, rule)


@pytest.mark.parametrize(
    ("jobs", "nodes", "seconds"),
    [
        ([job(6), job(4), job(2)], 1, 6),
        ([job(6), job(4), job(2), job(2)], 1, 8),
        # A timing job has a node to itself.
        ([job(6), job(5, cores=None)], 1, 11),
        ([job(6), job(5, cores=None)], 2, 6),
        # A node has no more cores than it has.
        ([job(3, cores=8)], 1, 3),
        # What needs a file waits for it; a file that no job makes is there.
        ([job(6, makes="a"), job(4, needs="a data")], 2, 10),
        ([], 1, 0),
    ],
)
def test_wall_time_is_that_of_a_schedule(jobs: list[Job], nodes: int, seconds: float) -> None:
    assert wall_seconds(jobs, Site(nodes, cores=2)) == seconds


@pytest.mark.parametrize(
    ("jobs", "seconds"),
    [
        ([job(6), job(6), job(6), job(6)], 6),
        # A timing job takes all cores of its node.
        ([job(6, cores=None), job(6, cores=None), job(6)], 7.5),
        ([job(6, makes="a"), job(4, needs="a")], 10),
        ([], 0),
    ],
)
def test_the_ideal_is_all_work_on_all_cores_or_the_longest_chain(
    jobs: list[Job], seconds: float
) -> None:
    assert ideal_seconds(jobs, nodes=2, cores=2) == seconds


def test_a_job_takes_longer_than_its_command_and_its_submission_waits_for_those_before() -> None:
    site = Site(1, cores=2, submitting=1, starting=3)
    assert wall_seconds([job(5), job(5)], site) == 2 + 3 + 5


def test_an_array_is_one_submission_and_its_jobs_start_later() -> None:
    jobs = [job(5, rule="curve"), job(5, rule="curve")]
    site = Site(1, cores=2, submitting=3, dispatching=2)
    assert wall_seconds(jobs, site) == 3 + 3 + 5
    assert wall_seconds(jobs, replace(site, arrays=frozenset({"curve"}))) == 3 + 2 + 5


def test_no_more_jobs_are_submitted_than_the_profile_allows() -> None:
    assert wall_seconds([job(5), job(5)], Site(1, cores=2, at_once=1)) == 10


def test_what_runs_where_snakemake_does_waits_for_no_node() -> None:
    site = Site(1, cores=2, starting=3, local=frozenset({"table"}))
    assert wall_seconds([job(20, cores=None), job(4, rule="table")], site) == 23


def test_an_end_is_seen_when_snakemake_asks_which_it_does_ever_less_often() -> None:
    # It asks after 10 s, then 20 s later, then 30 s later.
    assert wall_seconds([job(9)], Site(1, cores=2, asking=10)) == 10
    assert wall_seconds([job(31)], Site(1, cores=2, asking=10)) == 60
    # After an end it begins anew.
    assert wall_seconds([job(31, makes="a"), job(5, needs="a")], Site(1, 2, asking=10)) == 70


def test_in_a_queue_a_timing_job_that_waits_keeps_a_node_free() -> None:
    jobs = [job(5), job(4, cores=None), job(6)]
    assert wall_seconds(jobs, Site(1, cores=2)) == 10
    assert wall_seconds(jobs, Site(1, cores=2, queueing=True)) == 15


def test_workers_claim_one_after_the_other() -> None:
    trials = Trials([10.0] * 4, [0.0] * 4)
    assert shared(trials, 1) == 40
    assert shared(trials, 2) == 20
    assert shared(Trials([10.0] * 4, [8.0] * 4), 4) == 4 * 8 + 10


def test_trials_in_groups_are_jobs() -> None:
    assert [one.seconds for one in grouped(Trials([1.0, 2.0, 3.0], [0.0] * 3), 2)] == [3.0, 3.0]


def test_trials_are_drawn_from_journals_without_those_that_were_kept(tmp_path: Path) -> None:
    journal = tmp_path / "grid.journal"
    told = [{"seconds": 7.0}, {"seconds": 0.01}, {"worker": "x"}, *({"asking": 2.0} for _ in "abc")]
    journal.write_text("".join(json.dumps({"user_attr": one}) + "\n" for one in told))
    trials = in_journals([journal], journal, 5)
    assert trials.seconds == [7.0] * 5
    assert trials.claiming == pytest.approx([2.0] * 5)
    journal.write_text("{}\n")
    with pytest.raises(SystemExit, match="no trial"):
        in_journals([journal], journal, 5)
