"""The exact versions of the lock lie within the ranges of the conda files."""

from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from labs.setup import software

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
def test_the_lock_lies_within_the_ranges_which_end_on_both_sides_and_are_of_conda_forge(
    name: str,
) -> None:
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
