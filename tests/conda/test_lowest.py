"""Training, a search and the report run on the lowest versions that the conda files allow."""

import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.conda.labs import missing
from tests.workflow.checkout import ROOT
from tests.workflow.test_environments import ranges

# Between them they need every package: small runs of the programs, and a kept run's report.
TESTS = (
    "tests/unit/test_loops.py",
    "tests/jobs/test_training_programs.py::test_sft_and_lora_leave_a_record_and_no_checkpoints",
    "tests/jobs/test_search_programs.py::test_the_lab_space_is_searched_and_its_architectures_are_trained_alone",
    "tests/jobs/test_programs.py::test_graphs_are_traced_and_recorded",
    "tests/unit/studies",
    "tests/report/test_pages.py",
    # This is WeasyPrint's, since 70.
    "--deselect=tests/report/test_pages.py::test_the_pdf_conforms_to_its_standard",
)


@pytest.fixture(scope="module")
def lowest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A Python with the lowest versions that go together, and behind them .venv, for its torch."""
    if why := missing("uv"):
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("lowest")
    venv.create(folder, symlinks=True)
    needs = ranges("measure.yaml") | ranges("report.yaml") | ranges("train.yaml")
    wanted = [str(need) for name, need in needs.items() if name != "torch"]
    # Others ask for torch as well, and PyPI's brings gigabytes of CUDA.
    (folder / "overrides").write_text("torch ; python_version < '3'\n")
    command = ["uv", "pip", "install", "--quiet", "--resolution", "lowest-direct"]
    options = ["--python", str(folder / "bin" / "python"), "--override", str(folder / "overrides")]
    subprocess.run([sys.executable, "-m", *command, *options, *wanted], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "venv.pth").write_text(get_path("purelib"))
    yield folder / "bin" / "python"
    shutil.rmtree(folder)


def test_what_trains_searches_and_reports_runs_on_the_lowest_versions(lowest: Path) -> None:
    command = [str(lowest), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]
