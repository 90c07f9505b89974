"""`make gpu`, as far as it can be seen without a GPU."""

from pathlib import Path

import pytest

import check_gpu
from tests.checkout import MAKE, Checkout, checkout

# For the make that make starts, too.
GPU = (*MAKE, f"MAKE={' '.join(MAKE)}", "gpu")

STEPS = [
    "python scripts/check_gpu.py",
    "snakemake --cores",  # the build
    "pytest mxint_cuda/tests -m gpu",
    "compute-sanitizer --tool memcheck",
    "compute-sanitizer --tool racecheck",
    "compute-sanitizer --tool initcheck",
    "python scripts/check_system.py",
    "snakemake --workflow-profile",  # the report
    "python scripts/summarize.py",
]


def stand_ins(copy: Checkout, failing: str = "nothing") -> None:
    """Put programs into the copy's .venv that do nothing but note how they were called."""
    folder = copy.folder / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("python", "snakemake", "pytest", "compute-sanitizer"):
        program = folder / name
        called = f"{name} $*"
        program.write_text(
            f'#!/bin/sh\necho "{called}" >> steps\ncase "{called}" in *{failing}*) exit 3;; esac\n'
        )
        program.chmod(0o755)


def steps(copy: Checkout) -> list[str]:
    """How programs were called; make itself asks Python about .venv."""
    lines = (copy.folder / "steps").read_text().splitlines()
    return [line for line in lines if not line.startswith("python -Ic")]


def test_without_a_gpu_make_gpu_says_so_in_one_line(tmp_path: Path) -> None:
    done = checkout(tmp_path).run(*GPU)
    assert done.returncode != 0
    lines = done.stdout.splitlines()
    (said,) = (line for line in lines if not line.startswith(("make:", "make[")))
    assert said.startswith("make gpu needs a GPU that torch can use; an NVIDIA GPU is there, but ")


def test_a_gpu_without_nvcc_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["check_gpu.py"])
    monkeypatch.setattr(check_gpu, "resolve", lambda *_, **__: (["cpu", "cuda"], ""))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="^make gpu needs nvcc"):
        check_gpu.main()


def test_make_gpu_builds_tests_checks_and_measures_in_this_order(tmp_path: Path) -> None:
    copy = checkout(tmp_path)
    stand_ins(copy)
    done = copy.run(*GPU)
    assert done.returncode == 0, done.stdout
    found = steps(copy)
    assert len(found) == len(STEPS)
    assert all(line.startswith(step) for line, step in zip(found, STEPS, strict=True)), found
    assert "copy results/smoke/records to report/machines/<name>/records" in done.stdout


def test_kernels_in_which_a_check_finds_an_error_are_not_timed(tmp_path: Path) -> None:
    copy = checkout(tmp_path)
    stand_ins(copy, failing="racecheck")
    done = copy.run(*GPU)
    assert done.returncode != 0
    assert "racecheck" in steps(copy)[-1]
