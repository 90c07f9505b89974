"""Fine-tune a classifier fully and with LoRA, with one seed; write a record."""

import argparse
import shutil

from labs.experiments.lora.sizes import LORA, WAYS
from labs.experiments.lora.training.observe import observe
from labs.experiments.lora.ways import Ways
from labs.experiments.seeds import seed_of
from labs.jobs.arguments import (
    add_files,
    add_record_arguments,
    add_replicate_argument,
    add_settings,
    taken,
)
from labs.jobs.run import run_once
from labs.setup.shared import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_files(parser, "encoder", "tokens")
    add_settings(parser, LORA, *WAYS, "reviews", "held-out")
    add_settings(parser, SHARED, "max-length")
    add_replicate_argument(parser)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    checkpoints = arguments.output.with_suffix(".checkpoints")
    run_once(
        "lora",
        arguments,
        observe,
        ways=Ways(**taken(arguments, Ways)),
        seed=seed_of(arguments.seed, arguments.replicate),
        checkpoints=checkpoints,
    )
    shutil.rmtree(checkpoints)


if __name__ == "__main__":
    main()
