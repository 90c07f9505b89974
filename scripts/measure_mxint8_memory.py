"""Account for the memory of models before and after MXINT8: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.mxint8.shapes import SHAPES


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", choices=list(SHAPES), required=True)
    parser.add_argument(
        "--group-size", type=jobs.at_least(1), required=True, help="weights that share a scale"
    )
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.mxint8.memory import observe  # it imports mxint_cuda

    models, device, seed = arguments.models, arguments.device, arguments.seed
    jobs.run_beside_others(
        "mxint8_memory",
        "mxint8_memory",
        arguments,
        lambda threads: jobs.replicate(
            lambda _: observe(models, arguments.group_size, device, seed),
            replicates=1,
            threads=threads,
        ),
    )


if __name__ == "__main__":
    main()
