"""Count the reviews, their lengths and their splits; write a record."""

import argparse
from pathlib import Path

from labs.experiments.base_model.sizes import BASE_MODEL
from labs.experiments.reviews.observe import observe
from labs.jobs.arguments import add_files, add_record_arguments, add_settings
from labs.jobs.run import run_once
from labs.setup.shared import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=Path, required=True, help="Parquet: text, label, split")
    add_files(parser, "tokens")
    add_settings(parser, BASE_MODEL, "batch-size")
    add_settings(parser, SHARED, "max-length")
    add_record_arguments(parser)
    run_once("reviews", parser.parse_args(), observe)


if __name__ == "__main__":
    main()
