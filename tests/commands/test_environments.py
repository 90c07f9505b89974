"""The lock lies within the ranges of the conda files, and the Makefile makes .venv of it whole."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from labs.setup import software
from tests.checkout import ROOT, Checkout

ENVS = Path(__file__).parents[2] / "envs"
ON_PYPI = software.ON_PYPI
NOT_ON_PYPI = {"python", "pip", "pango", "cxx-compiler", "cuda-nvcc", "cuda-libraries-dev"}


def requirements(name: str) -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in (ENVS / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def locked() -> dict[str, Version]:
    """Each package of the lock, with its version."""
    versions: dict[str, Version] = {}
    for requirement in requirements("requirements.txt"):
        (pin,) = requirement.specifier
        assert pin.operator == "==" and not requirement.url
        versions[canonicalize_name(requirement.name)] = Version(pin.version)
    return versions


def ranges(name: str) -> dict[str, Requirement]:
    """Each package of a conda file, by its PyPI name, with its range."""
    specs = yaml.safe_load((ENVS / name).read_text())["dependencies"]
    assert all(isinstance(spec, str) for spec in specs), "a pip part"
    pairs = [spec.split(maxsplit=1) for spec in specs]
    return {
        ON_PYPI.get(package, package): Requirement(f"{ON_PYPI.get(package, package)}{versions}")
        for package, versions in pairs
        if package not in NOT_ON_PYPI
    }


@pytest.mark.parametrize("name", ["measure.yaml", "report.yaml", "train.yaml"])
def test_the_lock_lies_within_ranges_with_two_ends_and_of_conda_forge(name: str) -> None:
    versions, wanted = locked(), ranges(name)
    outside = {
        package: str(versions.get(package))
        for package, need in wanted.items()
        if package not in versions or versions[package] not in need.specifier
    }
    assert outside == {}
    ends = {package: {one.operator for one in need.specifier} for package, need in wanted.items()}
    assert ends == dict.fromkeys(wanted, {">=", "<"})
    assert yaml.safe_load((ENVS / name).read_text())["channels"] == ["conda-forge", "nodefaults"]


def test_direct_requirements_are_locked_and_torch_as_no_build() -> None:
    direct = {canonicalize_name(found.name) for found in requirements("requirements.in")}
    assert direct - set(locked()) == set()
    assert locked()["torch"].local is None


@pytest.mark.parametrize("name", ["build", "build-cuda", "measure", "report", "train"])
def test_rules_know_the_locked_version_of_each_package(name: str) -> None:
    pinned = {canonicalize_name(pin.split("==")[0]) for pin in software.locked(name).split()}
    assert pinned == ranges(f"{name}.yaml").keys()


def test_the_table_of_recipes_says_where_each_package_is_and_whether_its_version_fits() -> None:
    wanted: dict[str, dict[str, Requirement]] = {}
    for path in ENVS.glob("*.yaml"):
        for spec in yaml.safe_load(path.read_text())["dependencies"]:
            wanted.setdefault(spec.split()[0], {})[path.stem] = Requirement(spec)
    table = (ENVS / "README.md").read_text().split("| Package |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")] for row in table.splitlines()[2:]]
    assert [row[1] for row in rows if row[1] not in wanted] == []
    assert len(rows) == len(wanted)
    for _, package, version, _, fits, places, *_ in rows:
        found = wanted[package]
        assert set(places.split(", ")) == found.keys(), package
        within = all(Version(version) in need.specifier for need in found.values())
        assert fits == ("yes" if within else "no"), package


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


def test_programs_have_the_path_of_the_folder_itself_behind_any_link(
    made: Path, tmp_path: Path
) -> None:
    link = tmp_path / "my labs"
    link.symlink_to(made)
    assert f"('PATH', '{made}/.venv/bin:" in make(link, "html", PWD=str(link))


def test_the_profile_of_another_project_is_not_taken(made: Path) -> None:
    assert "SNAKEMAKE_PROFILE" not in make(made, "html", SNAKEMAKE_PROFILE="another")


def test_a_home_that_cannot_be_written_leaves_caches_in_the_folder(made: Path) -> None:
    said = make(made, "html", HOME="/proc/self")
    assert f"('XDG_CACHE_HOME', '{made}/.snakemake/cache')" in said
