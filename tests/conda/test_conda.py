"""With --use-conda, jobs run in environments made from envs/, and give what they give in .venv."""

import shutil
from zipfile import ZipFile

import pytest

from tests.checkout import contents
from tests.conda.labs import CONDA, WithConda
from tests.report.quick import KEPT, RECORDS

REPORT = "results/smoke/report/report.pdf"
# The record that a job measures; the others are a kept run's.
MEASURED = "results/smoke/records/graphs.json"
RULES = ("evaluate_records", "draw_figures", "render_html", "render_pdf")
REPORTING = ("--allowed-rules", *RULES)
ALL_OF_THEM = dict.fromkeys(RULES, 1)
# All triggers but the environment, as envs/README.md has them.
NOT_COUNTED = ("--rerun-triggers", "mtime", "params", "input", "code")
BUILD = "results/build/manifest.json"

ALONE = {"PYTHONPATH": "results/build", "PYTHONNOUSERSITE": "1"}
COMPUTES = """
import sys, mxint_cuda, torch
values = torch.arange(-32, 32) / 32
assert torch.equal(mxint_cuda.dequantize(*mxint_cuda.quantize(values, 32), 32), values)
print(torch.__file__)
"""


@pytest.fixture(scope="session")
def reported(labs: WithConda) -> WithConda:
    """A copy whose report was made in .venv, of a kept run's records and one that was measured."""
    with ZipFile(KEPT) as archive:
        archive.extractall(labs.home)
    shutil.copytree(labs.home / RECORDS, labs.folder / "results" / "smoke" / "records")
    (labs.folder / MEASURED).unlink()
    done = labs.make(MEASURED)
    assert done.returncode == 0, done.stdout
    report(labs, "record_absence")
    return labs


def report(labs: WithConda, *options: str) -> None:
    """Make the report, where it is not up to date."""
    done = labs.make(REPORT, *REPORTING, *options)
    assert done.returncode == 0, done.stdout


def planned(labs: WithConda, *options: str) -> dict[str, int]:
    """The jobs of the report that would run now."""
    return labs.planned(REPORT, *REPORTING, *options)


def made(labs: WithConda) -> dict[str, bytes]:
    """The report, and all that is made for it, by path."""
    found = contents(labs.folder / "results" / "smoke")
    return {name: content for name, (content, _) in found.items() if "records/" not in name}


def test_the_report_is_the_same_to_the_byte(reported: WithConda) -> None:
    before = made(reported)
    # The option of a profile is not in the command that the report gives.
    profile = reported.folder / "profiles" / "default" / "config.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text("software-deployment-method: conda\n")
    try:
        done = reported.make(REPORT, *REPORTING)
    finally:
        shutil.rmtree(profile.parents[1])
    assert done.returncode == 0, done.stdout
    assert "Activating conda environment" in done.stdout
    after = made(reported)
    assert {"report/report.pdf", "report/report.html", "report/claims.json"} <= after.keys()
    assert [name for name in before | after if before.get(name) != after.get(name)] == []


def test_other_environments_run_every_job_again_unless_they_do_not_count(
    reported: WithConda,
) -> None:
    """Those of .venv, of another folder and of an edited file, right after a run with conda."""
    report(reported, CONDA)
    assert planned(reported, CONDA) == {}
    for other in ((), (CONDA, "--conda-prefix", "elsewhere")):
        assert planned(reported, *other) == ALL_OF_THEM
        assert planned(reported, *other, *NOT_COUNTED) == {}
    with reported.edited("# edited\n", "envs/report.yaml"):
        assert planned(reported, CONDA) == ALL_OF_THEM
    with reported.edited("# edited\n", "envs/train.yaml"):
        assert planned(reported, CONDA) == {}


def test_a_job_has_what_its_environment_holds_and_nothing_of_venv(reported: WithConda) -> None:
    report(reported, CONDA)
    library = reported.prefix("report") / "lib"
    (seaborn,) = library.glob("python*/site-packages/seaborn")
    aside = seaborn.rename(seaborn.with_name("aside"))
    try:
        done = reported.make(REPORT, CONDA, *REPORTING, "--forcerun", "draw_figures")
    finally:
        aside.rename(seaborn)
    assert done.returncode != 0
    assert "No module named 'seaborn'" in done.stdout


def test_the_package_is_built_in_its_environment_and_computes(labs: WithConda) -> None:
    done = labs.make(BUILD, CONDA)
    assert done.returncode == 0, done.stdout
    prefix = labs.prefix("build")
    assert f"Check for working CXX compiler: {prefix}/bin/" in done.stdout
    said = labs.run(f"{prefix}/bin/python", "-c", COMPUTES, **ALONE)
    assert said.returncode == 0, said.stdout
    assert str(prefix) in said.stdout
