"""What a job may use: cores, memory and threads, and the batch that these hold."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from labs.experiments.compilation.lab import fitting
from labs.experiments.compilation.workload import Workload
from labs.measure.environment import environment
from labs.measure.limits import AFFINITY, GROUP, MACHINE, Limit, cores, memory
from labs.measure.threads import thread_count

QUOTA = {"cpu.cfs_quota_us": "50000", "cpu.cfs_period_us": "100000"}


Hold = Callable[[str, dict[str, str]], tuple[Path, Path]]


@pytest.fixture
def hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hold:
    """Writes a process's line and its groups' files, on a machine of eight cores."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))

    def write(line: str, files: dict[str, str]) -> tuple[Path, Path]:
        held = {f"mount/{name}": text for name, text in files.items()} | {"cgroup": line}
        for path, text in held.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(f"{text}\n")
        return tmp_path / "cgroup", tmp_path / "mount"

    return write


def test_the_lowest_limit_of_a_group_and_of_those_above_it_decides(hold: Hold) -> None:
    memories = {"memory.max": "max", "job/memory.max": "3000", "job/step/memory.max": "4000"}
    quotas = {"job/cpu.max": "50000 100000", "job/step/cpu.max": "max 100000"}
    held = hold("0::/job/step", memories | quotas)
    assert memory(*held) == Limit(3000, GROUP)
    assert cores(*held) == Limit(0.5, GROUP)


def test_version_1_keeps_each_limit_in_a_tree_of_its_own(hold: Hold) -> None:
    files = {f"cpu/job/{name}": text for name, text in QUOTA.items()}
    files["memory/job/memory.limit_in_bytes"] = "4000"
    assert memory(*hold("4:memory:/job", files)) == Limit(4000, GROUP)
    assert cores(*hold("5:cpu,cpuacct:/job", files)) == Limit(0.5, GROUP)
    assert memory(*hold("5:cpu,cpuacct:/job", files)).by == MACHINE


@pytest.mark.parametrize("line", ["0::/", "0::/gone", "4:cpu:/job"])
def test_without_a_limit_the_machine_decides(hold: Hold, line: str) -> None:
    unlimited = {"cpu/job/cpu.cfs_quota_us": "-1", "cpu/job/cpu.cfs_period_us": "100000"}
    held = hold(line, unlimited)
    assert (memory(*held).by, cores(*held)) == (MACHINE, Limit(8, MACHINE))


def test_an_affinity_of_fewer_cores_decides(hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    assert cores(*hold("0::/", {})) == Limit(3, AFFINITY)
    assert cores(*hold("0::/", {"cpu.max": "200000 100000"})) == Limit(2, GROUP)


def test_less_than_a_core_is_one_thread_and_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labs.measure.limits.cores", lambda: Limit(0.5, GROUP))
    assert thread_count("all") == thread_count("4") == 1
    place = environment("cpu", 1)
    assert (place["usable_cores"], place["cores_limited_by"]) == (0.5, GROUP)


def test_a_number_is_capped_by_affinity_not_by_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert thread_count("4") == 2
    assert thread_count("1") == 1


@pytest.mark.parametrize("asked", ["0", "-1", "two", "1.5", ""])
def test_anything_else_is_refused(asked: str) -> None:
    with pytest.raises(SystemExit, match="threads"):
        thread_count(asked)


SMALL = Workload(2, 64, (1, 1, 1, 1))


def chosen(monkeypatch: pytest.MonkeyPatch, memory: float, asked: int = 128) -> int:
    monkeypatch.setattr(fitting.limits, "memory", lambda: Limit(memory, MACHINE))
    return fitting.largest_batch(replace(SMALL, batch_size=asked), "cpu")


def test_a_machine_runs_as_many_images_as_it_holds_and_says_where_these_are_fewer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chosen(monkeypatch, 24e9) == 128
    assert capsys.readouterr().err == ""
    kept = fitting.bytes_kept(replace(SMALL, batch_size=1))
    assert chosen(monkeypatch, fitting.RESERVED + 64 * fitting.WORKING * kept + 1) == 64
    assert "128 images need about" in capsys.readouterr().err
    assert chosen(monkeypatch, 1e9) == 1, "one is run in any case"


def test_a_gpu_is_asked_for_its_memory_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {fitting.gpu.total_memory: 1e9}
    monkeypatch.setattr(fitting.gpu, "apart", answers.__getitem__)
    assert fitting.largest_batch(SMALL, "cuda") == 1


def test_what_is_kept_for_the_backward_pass_grows_with_the_batch_and_has_no_weights() -> None:
    one, two = (fitting.bytes_kept(replace(SMALL, batch_size=batch)) for batch in (1, 2))
    assert two == pytest.approx(2 * one, rel=0.01)
    weights = sum(parameter.nbytes for parameter in SMALL.build("cpu")[0].parameters())
    assert two < weights, "weights count"
