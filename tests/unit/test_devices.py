"""The first Snakemake decides the devices; the Snakemake of a job takes its decision."""

from pathlib import Path

import pytest

from labs.setup.devices import VARIABLE, absence, resolve, visible_devices


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of an nvidia-smi to be written, the only program on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "nvidia-smi"


def test_without_a_driver_there_is_only_the_cpu(driver: Path) -> None:
    assert visible_devices() == ["cpu"]


def test_a_gpu_that_the_driver_lists_is_found(driver: Path) -> None:
    driver.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA Example (UUID: GPU-1)'\n")
    driver.chmod(0o755)
    assert visible_devices() == ["cpu", "cuda"]


def test_a_driver_that_lists_no_gpu_adds_no_device(driver: Path) -> None:
    driver.write_text("#!/bin/sh\necho 'No devices found.'\nexit 6\n")
    driver.chmod(0o755)
    assert visible_devices() == ["cpu"]


def test_a_job_takes_what_the_first_snakemake_decided(driver: Path) -> None:
    assert resolve("auto", False, {VARIABLE: "cpu,cuda"}) == ["cpu", "cuda"]


def test_the_first_snakemake_ignores_an_inherited_variable(driver: Path) -> None:
    assert resolve("auto", True, {VARIABLE: "cpu,cuda"}) == ["cpu"]


def test_named_devices_are_taken_as_they_are(driver: Path) -> None:
    assert resolve(["cpu", "cuda"], True, {}) == ["cpu", "cuda"]


def test_the_reason_for_an_absence_says_what_decided() -> None:
    assert absence("auto") == "devices: auto found no CUDA device"
    assert absence(["cpu"]) == "config.yaml names devices [cpu]"
