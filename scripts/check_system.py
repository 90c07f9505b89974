"""Check the requirements outside Python; name the packages that provide the missing ones.

Exits with 0 if nothing is missing, else with 1 and one line per missing thing on standard error.
"""

import argparse
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path


def missing() -> Iterator[str]:
    """Yield what is missing, and the packages that provide it."""
    try:
        import weasyprint  # noqa: F401 - its import loads the native libraries
    except OSError as error:
        yield (
            f"Pango cannot be loaded ({str(error).splitlines()[0]}). "
            "apt: libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0; conda-forge: pango"
        )
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler.split()[0]) is None:
        yield (
            f"There is no C++ compiler {compiler} for torch.compile. "
            "apt: g++; conda-forge: cxx-compiler"
        )
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        yield (
            f"{header} is missing, which torch.compile includes. "
            f"apt: python{version}-dev; conda-forge: python"
        )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    problems = list(missing())
    for problem in problems:
        print(f"missing: {problem}", file=sys.stderr)
    if problems:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
