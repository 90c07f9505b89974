"""The versions that the lock gives to the packages of a conda environment.

Records depend on them: a rule that has them among its parameters runs again when one changes.
"""

import functools
import re
from pathlib import Path

import yaml

ENVS = Path(__file__).parents[3] / "envs"
ON_PYPI = {"pytorch": "torch", "matplotlib-base": "matplotlib"}
"""The packages that PyPI has under other names than conda-forge."""


def locked(environment: str) -> str:
    """Return the pins of envs/<environment>.yaml's packages, such as "torch==2.13.0".

    Packages that only conda-forge has, such as a compiler, have none.
    """
    specs = yaml.safe_load((ENVS / f"{environment}.yaml").read_text(encoding="utf-8"))
    names = (spec.split()[0] for spec in specs["dependencies"])
    found = pins()
    return " ".join(found[name] for name in (ON_PYPI.get(n, n) for n in names) if name in found)


@functools.cache
def pins() -> dict[str, str]:
    """Return the lines of the lock by package."""
    lock = (ENVS / "requirements.txt").read_text(encoding="utf-8")
    lines = re.finditer(r"^([\w.-]+)==[\w.+!-]+", lock, re.M)
    return {re.sub(r"[-_.]+", "-", pin[1]).lower(): pin[0] for pin in lines}
