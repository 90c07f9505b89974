"""Building a package into a folder, without installing it, with a manifest of its files."""

import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from labs.files import if_supported


def build(source: Path, cutlass: Path, manifest: Path, gpu: bool) -> None:
    """Replace the manifest's folder by a new build of the package and its manifest.

    Where nvcc is found, the package has kernels for a GPU, unless there is no ``gpu``.

    The package is built in a temporary folder, so a failed build leaves the old one unchanged.  The
    manifest holds the SHA-256 of each built file and nothing of the sources: a source change that
    does not affect the build does not affect the manifest.  Raises SystemExit when the build fails.
    """
    folder = manifest.parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".build-") as scratch:
        aside, old = Path(scratch) / "new", Path(scratch) / "old"
        _unpack(_wheel(source, cutlass, Path(scratch), gpu), source.name, aside)
        hashes = {
            file.relative_to(aside).as_posix(): _hash(file)
            for file in sorted(aside.rglob("*"))
            if file.is_file()
        }
        (aside / manifest.name).write_text(json.dumps(hashes, indent=1) + "\n")
        if folder.exists():
            folder.rename(old)
        aside.rename(folder)


def forget_damaged(manifest: Path) -> str:
    """Delete a manifest whose files are not as they were built; return a line about it, or nothing.

    Without its manifest the package is built again.
    """
    try:
        hashes: dict[str, str] = json.loads(manifest.read_text())
        damaged = [file for file, known in hashes.items() if _hash(manifest.parent / file) != known]
    except OSError:
        return ""
    except (ValueError, AttributeError):
        damaged = [manifest.name]
    if not damaged:
        return ""
    # Another run that is planned now may have been faster.
    manifest.unlink(missing_ok=True)
    return f"{manifest.parent}: {damaged[0]} is not as it was built; it is built again"


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _wheel(source: Path, cutlass: Path, folder: Path, gpu: bool) -> Path:
    """Return a wheel built with this environment's tools."""
    pip = [sys.executable, "-m", "pip", "wheel", "--verbose", "--no-build-isolation", "--no-deps"]
    defined = {"MXINT_CUTLASS": cutlass.resolve(), "MXINT_GPU": "ON" if gpu else "OFF"}
    defines = [f"--config-settings=cmake.define.{name}={value}" for name, value in defined.items()]
    done = subprocess.run([*pip, *defines, "--wheel-dir", str(folder), str(source.resolve())])
    if done.returncode != 0:
        raise SystemExit(f"error: the build of {source} failed; the compiler's message is above")
    (wheel,) = folder.glob("*.whl")
    return wheel


def _unpack(wheel: Path, package: str, folder: Path) -> None:
    """Extract the package without its metadata, which name the build's time and tools."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            if entry.filename.startswith(f"{package}/"):
                path = Path(archive.extract(entry, folder))
                # Programs stay programs.
                with if_supported():
                    path.chmod(entry.external_attr >> 16 & 0o777 or 0o644)
