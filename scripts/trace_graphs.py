"""Export BERT-tiny's graphs, run Lab 0's passes over them, and compare outputs; write a record."""

import argparse

from labs.experiments.graphs.observe import observe
from labs.experiments.graphs.sizes import GRAPHS
from labs.jobs.arguments import add_record_arguments, add_settings
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, GRAPHS)
    add_record_arguments(parser)
    run_once("graphs", parser.parse_args(), observe)


if __name__ == "__main__":
    main()
