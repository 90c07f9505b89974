"""How much memory a job may use: its machine's, or what its control groups leave it."""

from pathlib import Path

import pytest

from labs.measure.job_memory import limits


def found(tmp_path: Path, line: str, **files: str) -> list[int]:
    """The limits of a process with this line in /proc/self/cgroup, and these files of groups."""
    groups, mount = tmp_path / "cgroup", tmp_path / "mount"
    groups.write_text(line + "\n", encoding="utf-8")
    for name, text in files.items():
        path = mount / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return list(limits(groups, mount))


def test_limits_of_a_group_and_of_those_above_it_count(tmp_path: Path) -> None:
    files = {"memory.max": "max", "job/memory.max": "4000", "job/step/memory.max": "3000"}
    assert found(tmp_path, "0::/job/step", **files) == [3000, 4000]


def test_version_1_keeps_memory_in_a_tree_of_its_own(tmp_path: Path) -> None:
    files = {"memory/job/memory.limit_in_bytes": "4000", "cpu/job/memory.limit_in_bytes": "1"}
    assert found(tmp_path, "4:memory:/job", **files) == [4000]
    assert found(tmp_path, "5:cpu,cpuacct:/job", **files) == []


@pytest.mark.parametrize("line", ["0::/", "0::/gone"])
def test_without_a_limit_there_is_none(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, line) == []
