"""What the sources of a program say, without running it: which files they are, and their names for
tables and figures. So a rule can name its inputs and outputs.
"""

import ast
import functools
import os
from modulefinder import ModuleFinder
from pathlib import Path


@functools.cache
def code_of(program: str) -> list[str]:
    """The program and every module beside it that it imports, directly or not, sorted.

    program is a path such as scripts/measure_attention.py; like it, the results are relative to
    the working directory, so that moving the repository changes none of them.
    """
    files = files_of(Path(program), Path(program).parent)
    return sorted({os.path.relpath(file) for file in files})


def files_of(module: Path, folder: Path) -> list[Path]:
    """A module and every module under the folder that it imports, directly or not, sorted.

    Imports inside functions count; packages installed elsewhere (torch, numpy) do not and are not
    opened. A module that is only named in a string is not seen.
    Raises FileNotFoundError when there is no such module and SyntaxError when it does not compile.
    """
    finder = ModuleFinder(path=[str(folder)])
    finder.run_script(str(module))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({Path(file) for file in files if file})


@functools.cache
def names_given(program: str, function: str) -> list[str]:
    """The first argument of every call of a function or method in a program's code, where it is a
    string: @table("lora_arms") gives the name lora_arms. In the order of files and lines.
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
