"""The first Snakemake decides the devices; the Snakemake of a job takes its decision."""

from pathlib import Path

import pytest

from labs.setup.devices import VARIABLE, absence, resolve, visible_devices


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of an nvidia-smi to be written, the only program on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "nvidia-smi"


@pytest.mark.parametrize(
    ("says", "devices"),
    [
        ("", ["cpu"]),
        ("echo 'GPU 0: NVIDIA Example (UUID: GPU-1)'\n", ["cpu", "cuda"]),
        ("echo 'No devices found.'\nexit 6\n", ["cpu"]),
        ("printf 'GPU 0: Carte \\351 (UUID: GPU-1)\\n'\n", ["cpu", "cuda"]),
        ("printf 'No GPU 0 \\377'\n", ["cpu"]),
    ],
)
def test_a_gpu_that_the_driver_lists_is_found(driver: Path, says: str, devices: list[str]) -> None:
    if says:
        driver.write_text(f"#!/bin/sh\n{says}")
        driver.chmod(0o755)
    assert visible_devices() == devices


def test_a_gpu_that_is_lost_is_none_and_the_reason_is_what_the_driver_says(driver: Path) -> None:
    lost = "Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost."
    driver.write_text(f"#!/bin/sh\necho 'GPU 0: NVIDIA Example (UUID: GPU-1)\n{lost}'\nexit 15\n")
    driver.chmod(0o755)
    assert resolve("auto", True, {}) == ["cpu"]
    ended = "devices: auto found no CUDA device: nvidia-smi ended with status 15: "
    assert absence("auto").startswith(ended) and absence("auto").endswith(lost)


@pytest.mark.usefixtures("driver")
def test_the_first_snakemake_decides_and_those_of_jobs_take_what_it_decided() -> None:
    assert resolve("auto", False, {VARIABLE: "cpu,cuda"}) == ["cpu", "cuda"]
    assert resolve("auto", True, {VARIABLE: "cpu,cuda"}) == ["cpu"], "inherited"
    assert resolve(["cpu", "cuda"], True, {}) == ["cpu", "cuda"], "named"


def test_the_reason_for_an_absence_says_what_decided() -> None:
    assert absence("auto") == "devices: auto found no CUDA device"
    assert absence(["cpu"]) == "config.yaml names devices [cpu]"
