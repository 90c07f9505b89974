"""Check what the report needs from outside Python; name the packages that bring what is missing.

Exits with 0 when nothing is missing, and with 1 after one line on standard error for each thing
that is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import sysconfig
from pathlib import Path


def pango() -> str | None:
    """What is wrong with Pango, which lays out the PDF's text, or None."""
    try:
        import weasyprint  # noqa: F401 - its import loads the native libraries
    except OSError as error:
        return (
            f"Pango cannot be loaded ({str(error).splitlines()[0]}). "
            "apt: libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0; conda-forge: pango"
        )
    return None


def compiler() -> str | None:
    """What is wrong with the C++ compiler, which torch.compile calls, or None."""
    name = os.environ.get("CXX", "g++")
    if shutil.which(name.split()[0]) is None:
        return (
            f"There is no C++ compiler {name} for torch.compile. "
            "apt: g++; conda-forge: cxx-compiler"
        )
    return None


def headers() -> str | None:
    """What is wrong with Python's C headers, which torch.compile's wrappers include, or None."""
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return (
            f"{header} is missing, which torch.compile includes. "
            f"apt: python{version}-dev; conda-forge: python"
        )
    return None


def main() -> None:
    """Look at each need; say what is missing."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    missing = [problem for need in (pango, compiler, headers) if (problem := need())]
    for problem in missing:
        print(f"missing: {problem}", file=sys.stderr)
    if missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
