"""The source files of a job, found without running it: a rule runs again when one changes."""

import ast
import functools
import hashlib
import os
from glob import glob
from pathlib import Path


@functools.cache
def code_of(*modules: str) -> list[str]:
    """Return modules and every module below scripts that they import, directly or not, sorted.

    A module is a path such as scripts/evaluate_records.py, or a pattern for several. Like it, the
    results are relative to the working directory, so that moving the repository changes none.
    """
    given = [
        Path(file)
        for module in modules
        for file in sorted(glob(module, recursive=True)) or [module]
    ]
    files = {file for module in given for file in files_of(module, Path("scripts"))}
    return sorted({os.path.relpath(file) for file in files})


def files_of(module: Path, folder: Path) -> list[Path]:
    """Return a module and every module under the folder that it imports, directly or not, sorted.

    Imports inside functions count; installed packages (torch, numpy) do not, and modules named only
    in a string are missed.
    Raises FileNotFoundError when there is no such module and SyntaxError when it does not compile.
    """
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file, folder)
    return sorted(found)


def forget() -> None:
    """Read all files anew from here on."""
    for cached in (code_of, digest, _imported):
        cached.cache_clear()


@functools.cache
def _imported(file: Path, folder: Path) -> frozenset[Path]:
    """Return the modules under the folder that a file imports itself, packages included."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = [*file.relative_to(folder).parts[: -node.level], ""] if node.level else []
            module = ".".join(start) + (node.module or "")
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.replace("..", ".").strip(".").split(".")
            for path in (folder.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)):
                found |= {path.with_suffix(".py"), path / "__init__.py"}
    return frozenset(filter(Path.is_file, found))


def digest_of(*modules: str) -> str:
    """Return a digest of the code of modules: of the names and contents of its files."""
    return digest(*code_of(*modules))


@functools.cache
def digest(*files: str) -> str:
    """Return a digest of the names and contents of files.

    A rule that has it among its parameters runs again whenever a content changes, whatever the
    files' times are.
    """
    found = hashlib.sha256()
    for file in files:
        content = Path(file).read_bytes()
        found.update(f"{file}\0{len(content)}\0".encode() + content)
    return found.hexdigest()[:16]
