"""Decode and encode MXINT8 by the lab's formulas and exactly: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, observe, write."""
    arguments = parser().parse_args()
    from labs.mxint8.formulas import observe  # it imports mxint_cuda

    jobs.run_beside_others(
        "mxint8_formulas",
        "mxint8_formulas",
        arguments,
        lambda threads: jobs.replicate(
            lambda _: observe(arguments.device, arguments.seed), replicates=1, threads=threads
        ),
    )


if __name__ == "__main__":
    main()
