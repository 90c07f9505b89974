"""A local channel of conda packages, made of what is installed beside this interpreter.

Every package keeps its files, version and needs; only its archive and its name are conda-forge's.
Python is the interpreter itself, as in a venv: an environment has its own site-packages alone.  Of
the packages that are not Python's, the compiler is this machine's under conda-forge's names, and
Pango is empty: the machine's library is found.
"""

import hashlib
import io
import json
import os
import platform
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import zstandard
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labs.setup.software import ON_PYPI

ON_CONDA = {theirs: ours for ours, theirs in ON_PYPI.items()}
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
SITE = f"lib/{PYTHON}/site-packages"
SUBDIR = {"x86_64": "linux-64", "aarch64": "linux-aarch64"}[platform.machine()]
COMPILER = f"{platform.machine()}-conda-linux-gnu-c++"


@dataclass(frozen=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True)
class Package:
    """A conda package: what it needs, and its files by their place in an environment.

    A file is its text, a link, or the path of a file with the same contents.
    """

    name: str
    version: str
    needs: list[str] = field(default_factory=list)
    files: Mapping[str, str | Link | Path] = field(default_factory=dict)


def build(folder: Path, names: Iterable[str]) -> None:
    """Write a channel with these packages, named as on conda-forge, and all that they need.

    Raises importlib.metadata.PackageNotFoundError for one that is not installed.
    """
    others = (_python(), _compiler(), Package("pango", "1.50"))
    found = {package.name: package for package in others}
    wanted = list(names)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = _installed(distribution(ON_PYPI.get(name, name)))
            wanted += [need.split()[0] for need in found[name].needs]
    (folder / SUBDIR).mkdir(parents=True)
    index = {}
    for package in found.values():
        archive, entry = _write(package, folder / SUBDIR)
        index[archive.name] = entry
    _write_index(folder / SUBDIR, index)
    (folder / "noarch").mkdir()
    _write_index(folder / "noarch", {})


def _python() -> Package:
    """Return the interpreter, linked as a venv links it."""
    program = Path(os.path.realpath(sys.executable))
    links = dict.fromkeys(("bin/python", "bin/python3", f"bin/{PYTHON}"), Link(str(program)))
    home = f"home = {program.parent}\ninclude-system-site-packages = false\n"
    version = ".".join(map(str, sys.version_info[:3]))
    return Package("python", version, files={**links, "pyvenv.cfg": home})


def _compiler() -> Package:
    """Return this machine's compiler, which activation names as conda-forge's activation does."""
    names = f'export CXX="$CONDA_PREFIX/bin/{COMPILER}"\n'
    wrapper = '#!/bin/sh\nexec g++ "$@"\n'
    files = {f"bin/{COMPILER}": wrapper, "etc/conda/activate.d/cxx.sh": names}
    return Package("cxx-compiler", "1.7", files=files)


def _installed(package: Distribution) -> Package:
    """Return an installed package as a conda package."""
    files: dict[str, str | Link | Path] = {}
    for file in package.files or []:
        if "__pycache__" not in file.parts:
            files[os.path.normpath(f"{SITE}/{file}")] = Path(str(file.locate()))
    needs = [f"python {PYTHON.removeprefix('python')}.*", *_needs(package)]
    return Package(_on_conda(package.metadata["Name"]), package.version, needs, files)


def _needs(package: Distribution, extras: Iterable[str] = ()) -> Iterator[str]:
    """Yield what a package needs here, and what the extras do that it or others ask for."""
    for requirement in map(Requirement, package.requires or []):
        asked = ({"extra": extra} for extra in ("", *extras))
        if requirement.marker is None or any(map(requirement.marker.evaluate, asked)):
            yield f"{_on_conda(requirement.name)} {requirement.specifier}".strip()
            if requirement.extras:
                yield from _needs(distribution(requirement.name), requirement.extras)


def _on_conda(name: str) -> str:
    name = canonicalize_name(name)
    return ON_CONDA.get(name, name)


def _write(package: Package, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Write a package's archive; return its path, and its entry of the channel's index."""
    full = f"{package.name}-{package.version}-0"
    index = {"name": package.name, "version": package.version, "build": "0", "build_number": 0}
    index |= {"depends": package.needs, "subdir": SUBDIR}
    described = [_described(place, file) for place, file in package.files.items()]
    paths = {"paths_version": 1, "paths": described}
    info = {"info/index.json": json.dumps(index), "info/paths.json": json.dumps(paths)}
    archive = folder / f"{full}.conda"
    with zipfile.ZipFile(archive, "w") as parts:
        parts.writestr("metadata.json", '{"conda_pkg_format_version": 2}')
        for kind, files in (("info", info), ("pkg", package.files)):
            parts.writestr(f"{kind}-{full}.tar.zst", _packed(files))
    with archive.open("rb") as contents:
        sha256 = hashlib.file_digest(contents, "sha256").hexdigest()
    return archive, {**index, "sha256": sha256, "size": archive.stat().st_size}


def _described(place: str, file: str | Link | Path) -> dict[str, str]:
    """Return what is said of a file, including the prefix that its first line names."""
    kind = {"_path": place, "path_type": "softlink" if isinstance(file, Link) else "hardlink"}
    if isinstance(file, Path) and place.startswith("bin/"):
        with file.open("rb") as contents:
            first = contents.readline(1000)
        if first.startswith(b"#!") and b"/bin/python" in first:
            prefix = first[2:].split(b"/bin/python")[0].decode()
            return {**kind, "prefix_placeholder": prefix, "file_mode": "text"}
    return kind


def _packed(files: Mapping[str, str | Link | Path]) -> bytes:
    """Return files as a compressed tar archive."""
    packed = io.BytesIO()
    fast = zstandard.ZstdCompressor(level=1, threads=-1)
    with (
        fast.stream_writer(packed, closefd=False) as stream,
        tarfile.open(fileobj=stream, mode="w|") as archive,
    ):
        for place, file in files.items():
            if isinstance(file, Path):
                archive.add(file, place)
                continue
            entry = tarfile.TarInfo(place)
            entry.mode = 0o755
            if isinstance(file, Link):
                entry.type, entry.linkname = tarfile.SYMTYPE, file.target
                archive.addfile(entry)
            else:
                entry.size = len(file.encode())
                archive.addfile(entry, io.BytesIO(file.encode()))
    return packed.getvalue()


def _write_index(folder: Path, packages: Mapping[str, dict[str, Any]]) -> None:
    index = {"info": {"subdir": folder.name}, "packages": {}, "packages.conda": packages}
    (folder / "repodata.json").write_text(json.dumps(index))
