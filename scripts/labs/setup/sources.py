"""A program's source files, and the names in them of tables and figures, found without running it.

Rules need them for their inputs and outputs.
"""

import ast
import functools
import hashlib
import os
from modulefinder import ModuleFinder
from pathlib import Path


@functools.cache
def code_of(program: str) -> list[str]:
    """Return the program and every module beside it that it imports, directly or not, sorted.

    The program is a path such as scripts/measure_fusion.py; like it, the results are relative to
    the working directory, so that moving the repository does not change them.
    """
    files = files_of(Path(program), Path(program).parent)
    return sorted({os.path.relpath(file) for file in files})


def files_of(module: Path, folder: Path) -> list[Path]:
    """Return a module and every module under the folder that it imports, directly or not, sorted.

    Imports inside functions count; installed packages (torch, numpy) do not, and modules named only
    in a string are missed.
    Raises FileNotFoundError when there is no such module and SyntaxError when it does not compile.
    """
    finder = ModuleFinder(path=[str(folder)])
    finder.run_script(str(module))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({Path(file) for file in files if file})


def digest_of(program: str) -> str:
    """Return a digest of the code of a program: of the names and contents of its files."""
    return digest(*code_of(program))


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


@functools.cache
def names_given(program: str, function: str) -> list[str]:
    """Return the first argument of every call of a function or method in a program's code, where it
    is a string, in order of files and lines: @table("lora_arms") gives the name lora_arms.
    """
    return [
        node.args[0].value
        for path in code_of(program)
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and function in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]
