"""What is found out before a run begins: its folder, memory, machines, devices and command."""

import copy
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.setup.command import command
from labs.setup.config import ConfigError
from labs.setup.devices import NO_CUDA, VARIABLE, resolve
from labs.setup.discovery import jobs
from labs.setup.machines import NAME, recorded
from labs.setup.memory import check_memory
from labs.setup.place import check_clock, validate_folder
from labs.setup.wiring import check_wiring
from reporting.stylesheet import characters
from tests.shipped import SHIPPED

ODD = "a b", "$(touch here)", "`id`", 'say "it"', "it's", "a:b", "{a}", "a;b", "a&b", "a\\b", "a\nb"


@pytest.mark.parametrize("name", ODD)
def test_an_odd_path_is_refused_in_one_line_that_shows_the_character(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        validate_folder(Path("/home/me", name, "labs"))
    assert "\n" not in str(refused.value)
    assert "move it to a path of" in str(refused.value)


def test_a_folder_in_which_nothing_can_run_is_refused(tmp_path: Path) -> None:
    mount, apart = f"mount -t tmpfs -o noexec none {tmp_path}", ["unshare", "--mount", "sh", "-c"]
    if subprocess.run([*apart, mount], capture_output=True).returncode:
        pytest.skip("only root mounts")
    check = "from labs.setup.place import *; validate_folder(Path('..'), 'here', 'go to')"
    words = [*apart, f'{mount} && mkdir {tmp_path}/a && cd {tmp_path}/a && "$0" -c "{check}"']
    path = str(Path("scripts").resolve())
    done = subprocess.run(
        [*words, sys.executable], env={"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.stderr.startswith("here, .., is on a file system that is mounted noexec")
    assert done.stderr.endswith("; go to a folder on another\n")


def test_a_file_of_the_future_is_named_with_what_makes_it_of_now(tmp_path: Path) -> None:
    late = tmp_path / "late" / "table.csv"
    late.parent.mkdir()
    late.touch()
    check_clock([str(tmp_path)])
    os.utime(late, (time.time() + 3600,) * 2)
    with pytest.raises(
        ConfigError, match="late/table.csv was changed at .*: set the clock, or"
    ) as said:
        check_clock([str(tmp_path)])
    subprocess.run(str(said.value).partition(" or run: ")[2], shell=True, check=True)
    check_clock([str(tmp_path), str(late)])


@given(name=st.from_regex(re.compile(r"[\w.+=@%!#~^-]+"), fullmatch=True))
def test_a_plain_path_is_allowed(name: str) -> None:
    validate_folder(Path("/home", name))


PRESETS = SHIPPED["presets"]
LAPTOP = 8e9
SECTIONS = [name for name, value in PRESETS["smoke"].items() if isinstance(value, dict)]
MEMORY = {name: (name, "job-memory") for name in SECTIONS} | {"lab-space": ("search", "lab-memory")}
"""Where the memory of each kind of job is set."""


def needing(experiment: str, megabytes: int) -> dict[str, Any]:
    """The sizes of smoke, of which one experiment takes so much."""
    sizes: dict[str, Any] = copy.deepcopy(PRESETS["smoke"])
    section, key = MEMORY[experiment]
    sizes[section][key] = megabytes
    return sizes


@pytest.mark.parametrize("preset", ["smoke", "quick"])
def test_what_is_shipped_fits_a_laptop(preset: str) -> None:
    check_memory(preset, PRESETS[preset], LAPTOP)


@pytest.mark.parametrize("experiment", MEMORY.keys() - {"compilation"})
def test_an_experiment_that_takes_more_than_there_is_is_named(experiment: str) -> None:
    check_memory("smoke", needing(experiment, 8000), LAPTOP)
    with pytest.raises(ConfigError) as caught:
        check_memory("smoke", needing(experiment, 8001), LAPTOP)
    text = str(caught.value)
    assert text.startswith(f"config: presets.smoke.{'.'.join(MEMORY[experiment])} is 8001 MB, but ")
    assert "this machine has 8000 MB" in text
    assert "\n" not in text


def test_what_takes_as_much_as_there_is_or_does_not_run_is_not_refused() -> None:
    check_memory("smoke", needing("compilation", 10**6), LAPTOP)
    sizes = needing("lab-space", 10**6)
    sizes["search"]["lab-trials"] = 0
    check_memory("smoke", sizes, LAPTOP)


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    """A folder with one machine, which has two records."""
    for name in ("fusion/cpu.json", "graphs.json"):
        path = tmp_path / "machines" / "big node" / "records" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return tmp_path / "machines"


def test_every_record_is_found(machines: Path, tmp_path: Path) -> None:
    names = [Path(path).relative_to(machines).as_posix() for path in recorded(machines)]
    assert names == ["big node/records/fusion/cpu.json", "big node/records/graphs.json"]
    assert recorded(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("stray.json", "is no folder of a machine"),
        (".hidden/records/a.json", "has a name that starts with a dot"),
        ("This Machine/records/a.json", "has the name of the machine on which"),
        ("big node/a.json", "is no record in its machine's folder records"),
        ("big node/records/notes.txt", "is no record in its machine's folder records"),
        ("実験室/records/a.json", r"has '\\u5b9f' in its name, which no font of the report has"),
        ("caf\udce9/records/a.json", r"has '\\udce9' in its name"),
        ("linked", "linked is no folder of a machine"),
        ("big node/records/linked", "linked is a link"),
        ("big node/linked.json", "linked.json is a link"),
    ],
)
def test_what_is_not_a_machines_record_is_refused(machines: Path, path: str, what: str) -> None:
    file = machines / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if "linked" in path:
        file.symlink_to(machines / "big node")
    else:
        file.write_text("{}")
    with pytest.raises(ConfigError, match=what):
        recorded(machines)


def test_the_fonts_have_what_a_name_may_have() -> None:
    allowed = set(filter(NAME.fullmatch, map(chr, range(sys.maxunicode))))
    assert allowed > set("node-7 (Büro) Ω Ж")
    assert allowed <= characters(Path("report/fonts"))


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of an nvidia-smi to be written, the only program on PATH, which lists a GPU."""
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "nvidia-smi"
    path.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA Example (UUID: GPU-1)'\n")
    path.chmod(0o755)
    return path


def auto(ask_torch: bool = False) -> tuple[list[str], str]:
    """What `devices: auto` finds."""
    return resolve("auto", True, {}, ask_torch)


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
    else:
        driver.unlink()
    found, reason = auto()
    assert found == devices
    assert reason == "" if "cuda" in devices else reason.startswith(NO_CUDA)


def test_a_gpu_that_is_lost_is_none_and_the_reason_is_what_the_driver_says(driver: Path) -> None:
    lost = "Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost."
    driver.write_text(f"#!/bin/sh\necho 'GPU 0: NVIDIA Example (UUID: GPU-1)\n{lost}'\nexit 15\n")
    devices, reason = auto()
    assert devices == ["cpu"]
    assert reason.startswith(f"{NO_CUDA}: nvidia-smi ended with status 15: ")
    assert reason.endswith(lost)


@pytest.mark.parametrize(
    ("module", "told"),
    [
        (
            "def ones(*_, **__): raise AssertionError('Torch not compiled with CUDA enabled')",
            "torch 2.0+test cannot use it: Torch not compiled with CUDA enabled",
        ),
        (
            "def ones(*_, **__): raise RuntimeError('no kernel image is available\\nCompile with')",
            "torch 2.0+test cannot use it: no kernel image is available",
        ),
        (
            "raise ImportError('libcudart.so.13: cannot open')",
            "torch fails: ImportError: libcudart",
        ),
        ("from unittest.mock import MagicMock; ones = MagicMock()", ""),
    ],
)
@pytest.mark.usefixtures("driver")
def test_a_gpu_that_torch_cannot_use_is_none_and_the_reason_is_what_torch_says(
    module: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text(f"__version__ = '2.0+test'\n{module}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    devices, reason = auto(ask_torch=True)
    assert devices == (["cpu"] if told else ["cpu", "cuda"])
    assert reason.startswith(f"an NVIDIA GPU is there, but {told}" if told else "")
    assert auto(ask_torch=False) == (["cpu", "cuda"], ""), "under conda each job asks its own"


def test_torch_is_not_asked_where_the_driver_lists_no_gpu(
    driver: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.write_text("#!/bin/sh\nexit 9\n")
    (tmp_path / "torch.py").write_text(f"open({str(tmp_path / 'asked')!r}, 'w')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert auto(ask_torch=True)[0] == ["cpu"]
    assert not (tmp_path / "asked").exists()


def test_the_first_snakemake_decides_and_those_of_jobs_take_what_it_decided(driver: Path) -> None:
    driver.unlink()
    decided = {VARIABLE: "cpu,cuda"}
    assert resolve("auto", False, decided, ask_torch=True)[0] == ["cpu", "cuda"]
    assert resolve("auto", True, decided, ask_torch=True) == (["cpu"], NO_CUDA), "inherited"
    assert resolve(["cpu", "cuda"], True, {}, ask_torch=True)[0] == ["cpu", "cuda"], "named"


def test_the_reason_for_an_absence_says_what_decided() -> None:
    assert resolve(["cpu"], True, {}, ask_torch=True)[1] == "config.yaml names devices [cpu]"


PROFILE = "--workflow-profile workflow/profiles/slurm --config 'devices=[cpu,cuda]' seed=7"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("--cores 4", "--cores 4"),
        ("-c4 --use-conda", "--cores 4 --use-conda"),
        ("--sdm conda -j 20", "--jobs 20 --software-deployment-method conda"),
        # What make adds, and targets, do not decide how a job runs.
        (
            "--cores 2 --config preset=quick --nolock --rerun-incomplete --no-hooks",
            "--cores 2 --config preset=quick",
        ),
        ("--cores 1 --forcerun a b -- results/x.pdf", "--cores 1"),
        (PROFILE, PROFILE),
        ("--configfile mine.yaml -C seed=7", "--configfile mine.yaml --config seed=7"),
    ],
)
def test_options_that_decide_how_a_job_runs_are_kept(given: str, kept: str) -> None:
    assert command(shlex.split(given)) == f"snakemake {kept}"


def test_an_experiment_that_no_rule_runs_and_a_question_without_template_are_named(
    tmp_path: Path,
) -> None:
    run, questions = set(jobs()), tmp_path / "question.yaml"
    questions.write_text("- {id: lab0-primes, answer: answers/primes.html.j2}")
    with pytest.raises(ConfigError, match="runs the experiment lora/speed: write .*speed.smk"):
        check_wiring(run - {"lora/speed"}, [], tmp_path)
    with pytest.raises(ConfigError, match="lab0-primes has no template: write .*primes.html.j2"):
        check_wiring(run, [str(questions)], tmp_path)
