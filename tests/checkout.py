"""A copy of the repository, in which the real commands run."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).parents[1]
SMOKE = ("--config", "preset=smoke")
ON_CPU = (*SMOKE, "devices=[cpu]")

# A copy has no .venv: make is told that it is up to date, and uses the programs of this one.
MAKE = ("make", "--old-file", ".venv/up-to-date", "PRESET=smoke")
REPORT = (*MAKE, "report")


def fails(text: str) -> str:
    """The text of a module that fails when it is imported."""
    return f"raise SystemExit('error: no such luck')\n{text}"


@dataclass(frozen=True)
class Checkout:
    """A copy of the repository, and the environment in which its commands run.

    HOME and TMPDIR are folders beside it, so that tests see what a run leaves there. There is a
    GPU, as nvidia-smi tells, and torch cannot use it.
    """

    folder: Path
    CONFIG: ClassVar[tuple[str, ...]] = SMOKE

    @property
    def home(self) -> Path:
        return self.folder.parent / "home"

    @property
    def temporary(self) -> Path:
        return self.folder.parent / "tmp"

    @property
    def environment(self) -> dict[str, str]:
        # As in an activated environment, but without the compiler caches of this machine.
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("XDG_", "TORCHINDUCTOR_", "TRITON_", "LABS_"))
        }
        programs = [str(Path(sys.executable).parent), str(ROOT / "tests" / "driver")]
        return kept | {
            "PATH": os.pathsep.join([*programs, os.environ["PATH"]]),
            "CUDA_VISIBLE_DEVICES": "",
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
        }

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder; its output, standard error included, is in stdout."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def start(self, output: Path, *command: str) -> subprocess.Popen[bytes]:
        """Start a command in the folder, as a group of its own; what it says is added to a file."""
        with output.open("a") as file:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def planned(self, *arguments: str, **variables: str) -> dict[str, int]:
        """The number of jobs of each rule that Snakemake would run now, at the smoke preset."""
        done = self.run("snakemake", "-n", *arguments, *self.CONFIG, **variables)
        assert done.returncode == 0, done.stdout
        if "Nothing to be done" in done.stdout:
            return {}
        table = done.stdout.split("Job stats:\n")[1].split("\n\n")[0]
        rows = (line.split() for line in table.splitlines()[2:])
        return {rule: int(count) for rule, count in rows if rule != "total"}

    @contextmanager
    def edited(self, edit: str | Callable[[str], str], *paths: str) -> Iterator[None]:
        """Append a text to files, or change theirs; afterwards restore them, and their times."""
        files = [self.folder / path for path in paths]
        before = [(file, file.read_bytes(), file.stat()) for file in files]
        try:
            for file in files:
                text = file.read_text()
                file.write_text(text + edit if isinstance(edit, str) else edit(text))
            yield
        finally:
            for file, original, times in before:
                file.write_bytes(original)
                os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    @contextmanager
    def without(self, path: str) -> Iterator[None]:
        """Take a file away; afterwards it is back as it was."""
        file = self.folder / path
        aside = file.rename(self.folder.parent / "aside")
        try:
            yield
        finally:
            aside.rename(file)


def strays(folder: Path, package: str) -> Path:
    """Fill a folder with what no job may take: a package that fails, and another transformers."""
    metadata = folder / "transformers-0.1.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: transformers\nVersion: 0.1\n")
    (folder / f"{package}.py").write_text("raise ImportError('a stray package')\n")
    return folder


def wait_until(condition: Callable[[], object], said: Path, seconds: float = 240.0) -> None:
    """Wait for a condition; fail with what was said until then."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, said.read_text()
        time.sleep(0.1)


def sources() -> list[str]:
    """Every file that git tracks or does not ignore, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def checkout(parent: Path) -> Checkout:
    """A fresh copy of the repository, all of it committed."""
    copy = Checkout(parent / "repository")
    for name in sources():
        target = copy.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    copy.home.mkdir()
    copy.temporary.mkdir()
    commit = ("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet")
    for command in (("init", "--quiet"), ("add", "."), (*commit, "--message", "All")):
        done = copy.run("git", *command)
        assert done.returncode == 0, done.stdout
    return copy


@dataclass(frozen=True)
class Finished(Checkout):
    """A copy in which a smoke run has succeeded: its output, and the files before it."""

    output: str
    before: frozenset[str]
    quick: dict[str, tuple[bytes, int]]


def listing(folder: Path) -> frozenset[str]:
    """The files under a folder, relative to it, without those of Python and git."""
    return frozenset(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", ".git"} & set(path.parts)
    )


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The bytes and the modification time, in ns, of every file under a folder."""
    return {
        name: ((folder / name).read_bytes(), (folder / name).stat().st_mtime_ns)
        for name in listing(folder)
    }
