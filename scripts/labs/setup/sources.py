"""The source files that a program consists of, so that a rule can name them as its inputs."""

import functools
import os
from modulefinder import ModuleFinder
from pathlib import Path


@functools.cache
def code_of(program: str) -> list[str]:
    """The program and every module beside it that it imports, directly or not, sorted.

    program is a path such as scripts/measure_attention.py; like it, the results are relative to
    the working directory, so that moving the repository changes none of them. Imports inside
    functions count; packages installed elsewhere (torch, numpy) do not and are not opened. A module
    that is only named in a string is not seen.
    Raises FileNotFoundError when there is no such program and SyntaxError when it does not compile.
    """
    finder = ModuleFinder(path=[str(Path(program).parent)])
    finder.run_script(program)
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({os.path.relpath(file) for file in files if file})
