"""Check what `make gpu` needs and `make report` does not: a GPU that torch can use, and nvcc.

Exits with 0 if it is there, else with 1 and one line on standard error.
"""

import argparse
import os
import shutil

from labs.setup.devices import resolve


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    _, reason = resolve("auto", True, os.environ, ask_torch=True)
    if reason:
        raise SystemExit(f"make gpu needs a GPU that torch can use; {reason}")
    if shutil.which(os.environ.get("CUDACXX", "nvcc")) is None:
        raise SystemExit(
            "make gpu needs nvcc, which compiles the CUDA kernels: put CUDA's bin folder on PATH"
        )


if __name__ == "__main__":
    main()
