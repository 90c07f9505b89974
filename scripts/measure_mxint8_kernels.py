"""Time the kernels that decode MXINT8, against a plain copy: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--elements", type=jobs.at_least(1), required=True, help="elements of the tensor"
    )
    parser.add_argument(
        "--group-sizes", type=jobs.at_least(1), nargs="+", required=True, help="to decode it with"
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.mxint8.kernels import Plan, measure  # it imports mxint_cuda

    plan = Plan(arguments.elements, arguments.group_sizes, arguments.processes, arguments.rounds)
    jobs.run(
        "mxint8_kernels",
        "mxint8_kernels",
        arguments,
        lambda threads: measure(plan, arguments.device, threads, arguments.seed),
    )


if __name__ == "__main__":
    main()
