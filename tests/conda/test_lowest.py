"""Training, a search and the report run on the lowest versions that the conda files allow."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.commands.test_environments import ranges

# Small runs of the programs, and a kept run's report; that it conforms is WeasyPrint's, since 70.
TESTS = """
tests/unit/test_training.py tests/unit/test_graphs.py tests/unit/studies
tests/report/test_pages.py
tests/jobs/test_training_programs.py::test_sft_and_lora_leave_a_record_and_no_checkpoints
tests/jobs/test_search_programs.py::test_a_default_below_the_least_accuracy_fails_by_name
--deselect=tests/report/test_pages.py::test_the_pdf_conforms_to_its_standard
"""


def test_what_trains_searches_and_reports_runs_on_the_lowest_versions(tmp_path: Path) -> None:
    pytest.importorskip("uv", reason="uv not found; `make test-conda` installs envs/conda.txt")
    venv.create(tmp_path, symlinks=True)
    python, overrides = str(tmp_path / "bin" / "python"), tmp_path / "overrides"
    needs = ranges("measure.yaml") | ranges("report.yaml") | ranges("train.yaml")
    wanted = [str(need) for name, need in needs.items() if name != "torch"]
    # torch is .venv's, whoever asks for it: PyPI's brings gigabytes of CUDA.
    overrides.write_text("torch ; python_version < '3'\n")
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    command += ["--resolution", "lowest-direct", "--override", str(overrides)]
    subprocess.run([*command, *wanted], check=True)
    (site,) = tmp_path.glob("lib/python*/site-packages")
    (site / "venv.pth").write_text(get_path("purelib"))
    command = [python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *TESTS.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    shutil.rmtree(tmp_path)  # more than half a gigabyte
    assert done.returncode == 0, done.stdout[-5000:]
