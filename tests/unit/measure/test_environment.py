"""What a record says of its software is what an import takes; what is not told ends nothing."""

import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pynvml
import pytest
import torch

from labs.jobs.run import run
from labs.measure import gpu, throttling
from labs.measure.environment import environment
from labs.measure.version import version
from labs.records.names.machine import NOT_REPORTED


def test_a_version_is_that_of_the_package_which_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stray = tmp_path / "transformers-0.1.dist-info"
    stray.mkdir()
    (stray / "METADATA").write_text("Metadata-Version: 2.1\nName: transformers\nVersion: 0.1\n")
    before = version("transformers")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert version("transformers") == before != "0.1"
    assert version("no_such_package") == "absent"


def test_a_system_without_affinity_or_programs_has_an_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setenv("PATH", "")
    found = environment("cpu", 1)
    assert found["usable_cores"] >= 1
    assert (found["hypervisor"], found["compiler"]) == (NOT_REPORTED, "absent")


def test_the_environment_is_asked_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def asked(*_: object) -> NoReturn:
        raise InterruptedError

    monkeypatch.setattr("labs.jobs.run.environment", asked)
    arguments = Namespace(device="cpu", threads="1", output=tmp_path / "record.json")
    with pytest.raises(InterruptedError):
        run("none", arguments, lambda _: pytest.fail("measured first"))


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
