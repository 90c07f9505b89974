"""A copy of the repository in which a smoke run has succeeded."""

import shutil
from pathlib import Path

import pytest

from tests.checkout import SMOKE, Checkout, Finished, checkout, contents, listing, strays


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """One real smoke run with --cores 4, next to earlier results of quick. It takes minutes.

    Its surroundings are hostile: a module system's PYTHONPATH, and a user's way to see differences.
    """
    copy = checkout(tmp_path_factory.mktemp("finished"))
    quick = copy.folder / "results" / "quick"
    for name in ("records/fusion/cpu.json", "tables/values.csv", "report/report.pdf"):
        (quick / name).parent.mkdir(parents=True)
        (quick / name).write_text("an earlier result of hours\n")
    seen = contents(quick)
    before = listing(copy.folder)
    modules = strays(copy.folder.parent / "modules", "torch")
    hostile = {"PYTHONPATH": str(modules), "PYTHONSAFEPATH": "1", "GIT_EXTERNAL_DIFF": "true"}
    done = copy.run("snakemake", "--cores", "4", *SMOKE, **hostile)
    assert done.returncode == 0, done.stdout[-6000:]
    return Finished(copy.folder, done.stdout, before, seen)


@pytest.fixture
def finished_copy(finished_run: Finished, tmp_path: Path) -> Checkout:
    """A copy of the finished run with its results, which a test may change."""
    copy = Checkout(tmp_path / "repository")
    shutil.copytree(finished_run.folder, copy.folder)
    copy.home.mkdir()
    copy.temporary.mkdir()
    return copy
