"""Train the base model on the reviews; write its weights and a record."""

import argparse
from pathlib import Path

from labs.experiments.base_model import observe as base_model
from labs.experiments.base_model.sizes import BASE_MODEL, MODEL
from labs.jobs.arguments import add_files, add_record_arguments, add_settings, taken
from labs.jobs.run import run_once
from labs.models import classifiers
from labs.models.optimization import Plan
from labs.setup.shared import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_files(parser, "tokens")
    add_settings(parser, MODEL)
    add_settings(parser, BASE_MODEL)
    add_settings(parser, SHARED, "max-length")
    parser.add_argument("--model", type=Path, required=True, help="weights to write, safetensors")
    add_record_arguments(parser)
    arguments = parser.parse_args()
    model = base_model.first_weights(arguments.source, arguments.name, arguments.seed)
    checkpoint = arguments.model.with_suffix(".checkpoint")
    run_once(
        "base_model",
        arguments,
        base_model.observe,
        model=model,
        plan=Plan(**taken(arguments, Plan)),
        checkpoint=checkpoint,
    )
    classifiers.save(model, arguments.model)
    checkpoint.unlink()


if __name__ == "__main__":
    main()
