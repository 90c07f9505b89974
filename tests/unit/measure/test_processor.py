"""What a record says of the processor, also where the system tells little."""

from pathlib import Path

import pytest

from labs.measure.processor import kind, processor, this_kind
from labs.models import checkpoints
from labs.records.names.machine import NOT_REPORTED
from labs.studies.identity import surroundings

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


def test_on_another_kind_a_training_begins_anew_and_an_evaluation_is_made_again(
    lscpu: Path,
) -> None:
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
