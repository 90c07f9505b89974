"""Search for the format of each linear layer of the base model: writes the record of one part.

A killed search goes on with the same command: it finds what was evaluated.
"""

import argparse

from labs.experiments.precision import observe as parts
from labs.experiments.precision.bench import Bench, Sizes
from labs.experiments.precision.names import PARTS
from labs.experiments.precision.sizes import IN_EACH, PRECISION
from labs.jobs.arguments import (
    add_files,
    add_record_arguments,
    add_replicate_argument,
    add_settings,
    taken,
)
from labs.jobs.run import run_once
from labs.models.optimization import Plan
from labs.records.observations import Observations
from labs.setup.shared import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, required=True, help="which searches")
    add_files(parser, "model", "tokens", "studies")
    add_settings(parser, PRECISION, *IN_EACH)
    add_settings(parser, SHARED, "max-length")
    add_replicate_argument(parser)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    plan = Plan(1, arguments.learning_rate, arguments.batch_size)
    sizes = Sizes(**taken(arguments, Sizes), plan=plan)

    def observe(replicate: int, part: str) -> Observations:
        bench = Bench(**taken(arguments, Bench), sizes=sizes)
        counts = parts.Sizes(**taken(arguments, parts.Sizes))
        return parts.Part(bench, replicate, counts).observe(part)

    run_once("precision", arguments, observe)


if __name__ == "__main__":
    main()
