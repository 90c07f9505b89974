"""The command that started Snakemake, as far as it decides how a job runs."""

import argparse
import shlex
from collections.abc import Sequence

VARIABLE = "LABS_COMMAND"

OPTIONS: dict[tuple[str, ...], str | None] = {
    ("--cores", "-c"): "?",
    ("--jobs", "-j"): "?",
    ("--profile",): None,
    ("--workflow-profile",): None,
    ("--executor", "-e"): None,
    ("--default-resources",): "*",
    ("--set-resources",): "+",
    ("--software-deployment-method", "--deployment-method", "--deployment", "--sdm"): "+",
    ("--configfile", "--configfiles"): "+",
    ("--config", "-C"): "*",
}
"""Options of Snakemake, each with the number of its values as argparse has it."""


def command(argv: Sequence[str]) -> str:
    """Return the command with those of its arguments that a rerun of one job needs, too.

    ``argv`` are the arguments that Snakemake has accepted, without its own name.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for names, number in OPTIONS.items():
        parser.add_argument(*names, nargs=number)
    parser.add_argument("--use-conda", action="store_const", const=[])
    given = vars(parser.parse_known_args(list(argv))[0])
    words = ["snakemake"]
    for name, value in given.items():
        if value is not None:
            words += [
                f"--{name.replace('_', '-')}",
                *([value] if isinstance(value, str) else value),
            ]
    return shlex.join(words)
