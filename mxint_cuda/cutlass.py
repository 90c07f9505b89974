"""Get the headers of CuTe: `python cutlass.py FOLDER` makes FOLDER/include and FOLDER/pycute.

They come from the wheel nvidia-cutlass on PyPI, downloaded by pip with pip's own configuration and
without the wheel's dependencies, which only its Python part needs.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "4.2.0.0"
SHA256 = "f9599ada45c7bcb6bf53f7d3f0a7d154183e53451c01bfa59eecd37dd4a693f6"
# The folders of the wheel that are unpacked, and what they are called here.
FOLDERS = {"cutlass_library/source/include/": "include/", "pycute/": "pycute/"}


def main() -> None:
    folder = Path(sys.argv[1])
    if (folder / VERSION).exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unpacked = Path(scratch) / "unpacked"
        unpack(download(Path(scratch)), unpacked)
        (unpacked / VERSION).touch()
        shutil.rmtree(folder, ignore_errors=True)
        unpacked.rename(folder)


def download(folder: Path) -> Path:
    """Return the wheel, as pip finds it; end the program with one line when it does not."""
    # --only-binary: a source distribution would be built, which runs its code.
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), f"nvidia-cutlass=={VERSION}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SystemExit(f"pip cannot download nvidia-cutlass=={VERSION}: {reason}")
    (wheel,) = folder.glob("*.whl")
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{wheel.name} has SHA-256 {found}, not {SHA256}")
    return wheel


def unpack(wheel: Path, folder: Path) -> None:
    """Write the files of FOLDERS."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            for inside, here in FOLDERS.items():
                if name.startswith(inside):
                    target = folder / here / name.removeprefix(inside)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))


if __name__ == "__main__":
    main()
