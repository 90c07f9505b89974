"""The Makefile makes .venv whole, whatever pip is told, and makes a broken one again."""

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.workflow.checkout import ROOT

SNAKEMAKE = """import os
def main():
    for name in ("SNAKEMAKE_PROFILE", "XDG_CACHE_HOME"):
        print(f"{name}:", os.environ.get(name))
"""
METADATA = "Metadata-Version: 2.1\nName: snakemake\nVersion: 0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ELSEWHERE = dict.fromkeys(("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"), "elsewhere")
HOSTILE = ELSEWHERE | {"PIP_USER": "1", "PIP_DRY_RUN": "1", "PIP_PYTHON": "/usr/bin/no-python"}


def make(folder: Path, target: str = ".venv/up-to-date", **variables: str) -> str:
    done = subprocess.run(
        ["make", target],
        cwd=folder,
        env=os.environ | {"PIP_NO_INDEX": "1"} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def runs(folder: Path) -> bool:
    """Whether the program of .venv runs, from its own folder."""
    program = folder / ".venv" / "bin" / "snakemake"
    python = Path(program.read_text().partition("\n")[0].removeprefix("#!"))
    return python.is_relative_to(folder) and subprocess.run([program]).returncode == 0


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where one small package is required, in the place of Snakemake, and installed."""
    folder = tmp_path_factory.mktemp("made") / "labs"
    (folder / "envs").mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    name = "snakemake-0.dist-info"
    with zipfile.ZipFile(folder / "snakemake-0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("snakemake.py", SNAKEMAKE)
        wheel.writestr(f"{name}/METADATA", METADATA)
        wheel.writestr(f"{name}/WHEEL", WHEEL)
        wheel.writestr(f"{name}/entry_points.txt", "[console_scripts]\nsnakemake=snakemake:main\n")
        wheel.writestr(f"{name}/RECORD", "")
    (folder / "envs" / "requirements.txt").write_text("./snakemake-0-py3-none-any.whl\n")
    (folder / "pip.conf").write_text("[install]\nuser = true\ntarget = elsewhere\n")
    make(folder, PIP_CONFIG_FILE="pip.conf", **HOSTILE)
    return folder


def test_settings_of_pip_do_not_move_what_it_installs(made: Path) -> None:
    assert runs(made)
    assert not (made / "elsewhere").exists()
    assert "is up to date" in make(made)


def test_a_venv_that_was_moved_or_emptied_is_made_again(made: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(made, tmp_path / "moved", symlinks=True))
    make(moved)
    assert runs(moved)
    (site,) = (moved / ".venv" / "lib").glob("python*/site-packages")
    shutil.rmtree(site)
    make(moved)
    assert runs(moved)


def test_the_profile_of_another_project_is_not_taken(made: Path) -> None:
    assert "SNAKEMAKE_PROFILE: None" in make(made, "html", SNAKEMAKE_PROFILE="another")


def test_a_home_that_cannot_be_written_leaves_caches_in_the_folder(made: Path) -> None:
    variables = {"HOME": "/proc/self", "XDG_CACHE_HOME": ""}
    said = make(made, "html", **variables)
    assert f"XDG_CACHE_HOME: {made}/.snakemake/cache\n" in said
