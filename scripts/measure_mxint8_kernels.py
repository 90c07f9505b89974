"""Time the kernels that decode MXINT8 against a plain copy; write a record."""

from __future__ import annotations

import argparse

from labs.jobs.arguments import at_least
from labs.jobs.processes import add_process_arguments, run_in_processes


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--elements", type=at_least(1), required=True, help="elements of the tensor"
    )
    parser.add_argument(
        "--group-sizes", type=at_least(1), nargs="+", required=True, help="to decode with"
    )
    add_process_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.experiments.mxint8.kernels import observe  # it imports mxint_cuda

    inputs = {
        "elements": arguments.elements,
        "group_sizes": arguments.group_sizes,
        "rounds": arguments.rounds,
    }
    run_in_processes("mxint8_kernels", arguments, observe, inputs)


if __name__ == "__main__":
    main()
