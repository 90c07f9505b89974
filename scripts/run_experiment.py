"""Run an experiment, or one of its parts, and write its record.

A training or search that was killed goes on with the same command.
"""

import argparse
import importlib
import sys

from labs.setup.discovery import jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiment", choices=jobs(), help="its --help names its arguments")
    name = parser.parse_args(sys.argv[1:2]).experiment
    module = importlib.import_module(f"labs.experiments.{name.replace('/', '.')}.observe")
    own = argparse.ArgumentParser(prog=f"{parser.prog} {name}", description=module.__doc__)
    module.JOB.add_arguments(own)
    module.JOB.run(own.parse_args(sys.argv[2:]))


if __name__ == "__main__":
    main()
