"""The programs of question 3 without the package, or without a part of it."""

import shlex
import subprocess
from pathlib import Path

import pytest

from labs.records.reading import read
from tests.jobs import programs


def run(program: str, arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds no package."""
    return programs.run(f"measure_mxint8_{program}.py", *shlex.split(arguments), PYTHONPATH="")


def test_a_build_without_the_partition_is_recorded_as_such(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    sizes = "--group-sizes 8 --elements 10 --device cpu"
    done = run("partition", f"--program {tmp_path}/none {sizes} --output {record}")
    assert done.returncode == 0, done.stderr
    reason = "not measured: mxint_cuda was built without cute_partition"
    assert read(record)["status"].startswith(reason)


@pytest.mark.parametrize("program", ["formulas", "accuracy"])
def test_without_the_package_one_line_says_how_to_build_it(program: str, tmp_path: Path) -> None:
    of_a_model = "--model m --tokens t --max-length 8 --held-out all --group-size 32"
    arguments = "--device cpu " + (of_a_model if program == "accuracy" else "")
    output = tmp_path / "record.json"
    done = run(program, f"{arguments} --output {output}")
    assert done.returncode == 1
    assert done.stderr.startswith("error: the package mxint_cuda cannot be used (")
    assert "snakemake --cores 4 results/build/manifest.json" in done.stderr
    assert not output.exists()
