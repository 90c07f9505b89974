"""The experiments, found by listing their folders.

Each has a folder in labs/experiments; a large one holds such folders. What a module of an
experiment is for, its name says: sizes, names, observe, values, claims, figures.
"""

import importlib
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).parents[2]
EXPERIMENTS = SCRIPTS / "labs" / "experiments"


def modules(name: str) -> list[ModuleType]:
    """Import and return the modules of all experiments that have this name, in order of folders."""
    files = sorted(EXPERIMENTS.rglob(f"{name}.py"))
    return [importlib.import_module(_dotted(file)) for file in files]


def listed(constant: str) -> list[str]:
    """Return what experiments list under a constant of their names.py, as TABLES or FIGURES."""
    return [name for module in modules("names") for name in getattr(module, constant, ())]


def jobs() -> list[str]:
    """Return the name of every experiment that is run, as run_experiment.py takes it."""
    files = sorted(EXPERIMENTS.rglob("observe.py"))
    folders = [file.parent for file in files if "\nJOB = " in file.read_text(encoding="utf-8")]
    return [folder.relative_to(EXPERIMENTS).as_posix() for folder in folders]


def _dotted(file: Path) -> str:
    return ".".join(file.relative_to(SCRIPTS).with_suffix("").parts)
