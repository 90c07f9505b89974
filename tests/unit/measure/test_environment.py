"""What a record says of its machine and software, also where the system tells little."""

import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pynvml
import pytest
import torch

from labs.jobs.job import Job
from labs.measure import gpu, throttling
from labs.measure.environment import environment, node
from labs.measure.processor import kind, processor, this_kind
from labs.measure.version import version
from labs.models import checkpoints
from labs.records.record import NO_CLUSTER, NOT_REPORTED, OWN, SHARED, UNKNOWN
from labs.studies.identity import surroundings


def test_a_version_is_of_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stray = tmp_path / "transformers-0.1.dist-info"
    stray.mkdir()
    (stray / "METADATA").write_text("Metadata-Version: 2.1\nName: transformers\nVersion: 0.1\n")
    before = version("transformers")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert version("transformers") == before != "0.1"
    assert version("no_such_package") == "absent"


def test_a_system_without_programs_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = environment("cpu", 1)
    assert found["usable_cores"] >= 1
    assert (found["hypervisor"], found["compiler"]) == (NOT_REPORTED, "absent")


def test_the_environment_is_asked_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def asked(*_: object) -> NoReturn:
        raise InterruptedError

    monkeypatch.setattr("labs.jobs.job.environment", asked)
    given = {"device": "cpu", "without_cuda": "fail", "threads": "1"}
    arguments = Namespace(**given, output=tmp_path / "record.json")
    with pytest.raises(InterruptedError):
        Job("none", lambda: pytest.fail("measured first")).run(arguments)


def not_supported(*_: object) -> NoReturn:
    raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A stand-in for a part of a GPU whose driver tells nothing; the UUIDs that were asked for."""
    asked: list[str] = []

    def by_uuid(uuid: str) -> object:
        asked.append(uuid)
        if uuid.startswith("MIG-"):
            return object()
        not_supported()

    for name in vars(pynvml):
        if name.startswith(("nvmlDeviceGet", "nvmlSystemGet")):
            monkeypatch.setattr(pynvml, name, not_supported)
    monkeypatch.setattr(pynvml, "nvmlInit", lambda: None)
    monkeypatch.setattr(pynvml, "nvmlDeviceGetHandleByUUID", by_uuid)
    properties = SimpleNamespace(uuid="1-2-3")
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: properties)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: "A GPU")
    return asked


def test_a_board_that_tells_nothing_has_its_name_and_is_not_throttled(board: list[str]) -> None:
    state = gpu.state()
    assert state.pop("name") == "A GPU"
    assert set(state.values()) == {NOT_REPORTED}
    assert not throttling.throttled("cuda")


def test_a_part_of_a_board_is_found_by_its_own_uuid(board: list[str]) -> None:
    gpu.handle()
    assert board == ["GPU-1-2-3", "MIG-1-2-3"]


ZEN_4 = """\
Architecture:          x86_64
Vendor ID:             AuthenticAMD
  Model name:          AMD EPYC
    CPU family:        25
    Model:             17
    Stepping:          1
Hypervisor vendor:     KVM
Vulnerability L1tf:    Not affected
"""
WITHOUT_A_NAME = "Vendor ID: ARM\nModel name: -\nModel: 1\nStepping: r3p1\n"


@pytest.fixture
def lscpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose text a stand-in for lscpu prints; without the file it fails."""
    program, text = tmp_path / "bin" / "lscpu", tmp_path / "text"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec /bin/cat "{text}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    return text


def test_two_generations_of_one_name_are_two_kinds(lscpu: Path) -> None:
    lscpu.write_text(ZEN_4)
    old = processor()
    lscpu.write_text(ZEN_4.replace(" 25", " 26").replace(" 17", " 2"))
    new = processor()
    assert old["cpu"] == new["cpu"] == "AMD EPYC"
    assert old["processor"] == "AuthenticAMD, family 25, model 17, stepping 1"
    assert new["processor"] == "AuthenticAMD, family 26, model 2, stepping 1"


def test_a_name_that_is_no_text_ends_no_measurement(lscpu: Path, tmp_path: Path) -> None:
    lscpu.write_bytes(ZEN_4.encode().replace(b"AMD EPYC", b"EPYC \xff"))
    (tmp_path / "cpuinfo").write_bytes(b"microcode\t: \xff1\n")
    said = processor(tmp_path / "cpuinfo")
    assert (said["cpu"], said["microcode"]) == ("EPYC \ufffd", "\ufffd1")


def test_on_another_kind_a_training_begins_anew_and_an_evaluation_is_remade(lscpu: Path) -> None:
    found = []
    for model in (" 17", " 2"):
        lscpu.write_text(ZEN_4.replace(" 17", model))
        this_kind.cache_clear()
        found.append((checkpoints.identity({}, []), surroundings("cpu")))
    assert all(before != after for before, after in zip(*found, strict=True))
    this_kind.cache_clear()


def test_a_hypervisor_is_named_where_there_is_one(lscpu: Path) -> None:
    lscpu.write_text(ZEN_4)
    assert processor()["hypervisor"] == "KVM"
    lscpu.write_text(WITHOUT_A_NAME)
    assert processor()["hypervisor"] == "none"


def test_a_processor_without_a_name_or_a_family_is_of_the_kind_that_is_told(lscpu: Path) -> None:
    lscpu.write_text(WITHOUT_A_NAME)
    assert processor()["cpu"] == NOT_REPORTED
    assert processor()["processor"] == "ARM, model 1, stepping r3p1"
    assert kind({}) == NOT_REPORTED


def test_a_system_that_tells_nothing_reports_nothing(lscpu: Path, tmp_path: Path) -> None:
    assert set(processor(tmp_path / "cpuinfo", tmp_path).values()) == {NOT_REPORTED}


def test_microcode_caches_and_clocks_are_the_kernels(lscpu: Path, tmp_path: Path) -> None:
    files = {
        "cpuinfo": "stepping\t: 1\nmicrocode\t: 0x1000065\ncpu MHz\t\t: 2596.1\n",
        "cpu/cpu0/cache/index0/level": "1\n",
        "cpu/cpu0/cache/index0/type": "Data\n",
        "cpu/cpu0/cache/index0/size": "32K\n",
        "clocksource/clocksource0/current_clocksource": "tsc\n",
        "cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = processor(tmp_path / "cpuinfo", tmp_path)
    assert (found["microcode"], found["caches"]) == ("0x1000065", "L1 Data 32K")
    assert (found["clock_source"], found["governor"]) == ("tsc", "performance")


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
def test_of_a_node_without_a_name_nothing_is_known_and_without_slurm_there_is_none() -> None:
    assert node({"SLURM_JOB_ID": "1", "SLURM_CPUS_ON_NODE": "8"}) == UNKNOWN
    assert node({}) == NO_CLUSTER


def test_where_slurm_does_not_answer_nothing_is_known(scontrol: Path) -> None:
    scontrol.write_text("#!/bin/sh\nexit 1\n")
    assert node(JOB | {"SLURM_CPUS_ON_NODE": "8"}) == UNKNOWN
