"""Build the package mxint_cuda into a folder for PYTHONPATH; write its manifest."""

import argparse
from pathlib import Path

from labs.setup.build import build


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True, help="the package's folder")
    parser.add_argument(
        "--cutlass", type=Path, required=True, help="folder to keep CuTe's headers in"
    )
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        help="manifest to write, JSON; the build replaces its whole folder",
    )
    parser.add_argument("--no-gpu", action="store_true", help="leave the kernels for a GPU out")
    arguments = parser.parse_args()
    build(arguments.source, arguments.cutlass, arguments.output, gpu=not arguments.no_gpu)


if __name__ == "__main__":
    main()
