"""Time the kernels that decode MXINT8 against a plain copy; write a record."""

import argparse

from labs.experiments.mxint8.sizes import KERNELS
from labs.jobs.arguments import add_settings
from labs.jobs.processes import add_timing_arguments, run_in_processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, KERNELS)
    add_timing_arguments(parser, "processes", "budget", "rounds")
    arguments = parser.parse_args()
    from labs.experiments.mxint8.kernels.observe import observe  # it imports mxint_cuda

    run_in_processes("mxint8_kernels", arguments, observe)


if __name__ == "__main__":
    main()
