"""A job knows whether SLURM gave it all cores of its node."""

from pathlib import Path

import pytest

from labs.measure.node import node
from labs.records.names.nodes import NONE, OWN, SHARED, UNKNOWN

JOB = {"SLURM_JOB_ID": "1", "SLURMD_NODENAME": "cpu1"}


@pytest.fixture
def scontrol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A command that says what SLURM says of a node of eight cores."""
    command = tmp_path / "scontrol"
    command.write_text("#!/bin/sh\necho '   CPUAlloc=2 CPUEfctv=8 CPUTot=8 CPULoad=0.1'\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return command


@pytest.mark.usefixtures("scontrol")
@pytest.mark.parametrize(("given", "found"), [("8", OWN), ("2", SHARED), ("", UNKNOWN)])
def test_a_node_is_shared_unless_all_its_cores_are_given(given: str, found: str) -> None:
    assert node(JOB | {"SLURM_CPUS_ON_NODE": given}) == found


@pytest.mark.usefixtures("scontrol")
def test_of_a_node_without_a_name_nothing_is_known() -> None:
    assert node({"SLURM_JOB_ID": "1", "SLURM_CPUS_ON_NODE": "8"}) == UNKNOWN


def test_without_slurm_there_is_no_cluster() -> None:
    assert node({}) == NONE


def test_where_slurm_does_not_answer_nothing_is_known(scontrol: Path) -> None:
    scontrol.write_text("#!/bin/sh\nexit 1\n")
    assert node(JOB | {"SLURM_CPUS_ON_NODE": "8"}) == UNKNOWN
