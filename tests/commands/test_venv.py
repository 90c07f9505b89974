"""The Makefile makes .venv whole, whatever pip is told, and makes a broken one again."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.checkout import ROOT, Checkout

INFO = "snakemake-0.dist-info"
PACKAGE = {
    "snakemake.py": "import os\ndef main(): print([*os.environ.items()])\n",
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: snakemake\nVersion: 0\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/entry_points.txt": "[console_scripts]\nsnakemake=snakemake:main\n",
    f"{INFO}/RECORD": "",
}
ELSEWHERE = dict.fromkeys(("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON"), "elsewhere")


def make(folder: Path, target: str = ".venv/up-to-date", **variables: str) -> str:
    done = Checkout(folder).run("make", target, **variables)
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
    with zipfile.ZipFile(folder / "snakemake-0-py3-none-any.whl", "w") as wheel:
        for name, text in PACKAGE.items():
            wheel.writestr(name, text)
    (folder / "envs" / "requirements.txt").write_text("--no-index -f ..\nsnakemake\n")
    (folder / "pip.conf").write_text("[install]\nuser = true\ntarget = elsewhere\n")
    make(folder, PIP_CONFIG_FILE="pip.conf", PIP_USER="1", PIP_DRY_RUN="1", **ELSEWHERE)
    return folder


def test_settings_of_pip_do_not_move_what_it_installs(made: Path) -> None:
    assert runs(made) and not (made / "elsewhere").exists()
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
    assert "SNAKEMAKE_PROFILE" not in make(made, "html", SNAKEMAKE_PROFILE="another")


def test_a_home_that_cannot_be_written_leaves_caches_in_the_folder(made: Path) -> None:
    said = make(made, "html", HOME="/proc/self")
    assert f"('XDG_CACHE_HOME', '{made}/.snakemake/cache')" in said
