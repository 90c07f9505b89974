"""Check the requirements outside Python; name the packages that provide the missing ones.

Exits with 0 if nothing is missing, else with 1 and one line per missing thing on standard error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import sysconfig
from pathlib import Path


def pango() -> str | None:
    """Return what is wrong with Pango, which lays out the PDF's text, or None."""
    try:
        import weasyprint  # noqa: F401 - its import loads the native libraries
    except OSError as error:
        return (
            f"Pango cannot be loaded ({str(error).splitlines()[0]}). "
            "apt: libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0; conda-forge: pango"
        )
    return None


def compiler() -> str | None:
    """Return what is wrong with the C++ compiler, which torch.compile calls, or None."""
    name = os.environ.get("CXX", "g++")
    if shutil.which(name.split()[0]) is None:
        return (
            f"There is no C++ compiler {name} for torch.compile. "
            "apt: g++; conda-forge: cxx-compiler"
        )
    return None


def headers() -> str | None:
    """Return what is wrong with Python's C headers, which torch.compile includes, or None."""
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return (
            f"{header} is missing, which torch.compile includes. "
            f"apt: python{version}-dev; conda-forge: python"
        )
    return None


def main() -> None:
    """Check each requirement; print what is missing."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    missing = [problem for need in (pango, compiler, headers) if (problem := need())]
    for problem in missing:
        print(f"missing: {problem}", file=sys.stderr)
    if missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
