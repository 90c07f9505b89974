"""A copy of the repository whose jobs run in environments of the stand-in for conda."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import yaml

from labs.setup.software import ENVS
from tests.checkout import ON_CPU, Checkout

HERE = Path(__file__).parent
NEEDED = ("rattler", "zstandard")
CONDA = "--use-conda"


def missing() -> str:
    """Return why there can be no stand-in here, or nothing."""
    absent = [name for name in NEEDED if find_spec(name) is None]
    said = f"{', '.join(absent)} not found; `make test-conda` installs envs/conda.txt"
    return said if absent else ""


def packages(*environments: str) -> set[str]:
    """Return the packages that conda files name."""
    files = [yaml.safe_load((ENVS / f"{name}.yaml").read_text()) for name in environments]
    return {spec.split()[0] for file in files for spec in file["dependencies"]}


def install(root: Path, names: Iterable[str]) -> None:
    """Install the stand-in under a folder, with a channel of these packages and what they need."""
    from tests.conda.channel import build

    build(root / "channels" / "conda-forge", names)
    (root / ".condarc").write_text(f"channel_alias: {(root / 'channels').as_uri()}/\n")
    (root / "bin").mkdir()
    shutil.copy2(HERE / "activate", root / "bin" / "activate")
    command = shlex.join([sys.executable, str(HERE / "command.py"), str(root)])
    conda = root / "bin" / "conda"
    conda.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    conda.chmod(0o755)


@dataclass(frozen=True)
class WithConda(Checkout):
    """A copy of the repository, where `conda` is the stand-in."""

    root: Path
    # Jobs ask their own torch, so that auto would plan for the GPU.
    CONFIG = ON_CPU

    @property
    def environment(self) -> dict[str, str]:
        before = super().environment
        return before | {"PATH": os.pathsep.join([str(self.root / "bin"), before["PATH"]])}

    def make(self, target: str, *options: str) -> subprocess.CompletedProcess[str]:
        return self.run("snakemake", "--cores", "2", *options, *self.CONFIG, "--", target)

    def prefix(self, name: str) -> Path:
        """Return the environment that Snakemake has made of a conda file."""
        content = (self.folder / "envs" / f"{name}.yaml").read_text()
        made = (self.folder / ".snakemake" / "conda").glob("*.yaml")
        (copy,) = (file for file in made if file.read_text() == content)
        return copy.with_suffix("")
