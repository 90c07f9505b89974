"""Write the record of an experiment that this machine cannot run, with the reason."""

import argparse
from pathlib import Path

from labs.records import record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiment", required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--reason", required=True, help="why it was not measured")
    parser.add_argument("--output", type=Path, required=True, help="record to write, JSON")
    arguments = parser.parse_args()
    absent = record.not_measured(arguments.experiment, arguments.device, arguments.reason)
    record.write(absent, arguments.output)


if __name__ == "__main__":
    main()
