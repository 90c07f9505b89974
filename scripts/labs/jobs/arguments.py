"""Arguments that several programs share, and settings of config.yaml as arguments."""

import argparse
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from labs.measure.threads import ALL_CORES
from labs.setup.faults import shown
from labs.setup.kinds import Listing
from labs.setup.section import Section, Setting

FILES = {
    "encoder": "folder with config.json, model.safetensors",
    "model": "the base model, safetensors",
    "studies": "folder that keeps the evaluations",
    "tokens": "Parquet: tokens, label, split",
    "vocabulary": "vocab.txt",
}
"""The files and folders that several programs read."""


def add_settings(
    parser: argparse.ArgumentParser, section: Section, *names: str, prefix: str = "--"
) -> None:
    """Add the settings of a section that have these names, or else all, as required arguments.

    The setting batch-size of the section bert-tiny is --bert-tiny-batch-size.
    """
    for name in names or section.keys:
        setting = section.keys[name]
        if isinstance(setting, Section):
            add_settings(parser, setting, prefix=f"{prefix}{name}-")
            continue
        unit = setting.unit and f"in {setting.unit}"
        words = [setting.meaning, unit, f"allowed: {setting.allowed}"]
        parser.add_argument(
            f"{prefix}{name}",
            action=_Allowed,
            setting=setting,
            nargs="+" if isinstance(setting.kind, Listing) else None,
            required=True,
            help="; ".join(filter(None, words)).replace("%", "%%"),
        )


class _Allowed(argparse.Action):
    """Stores what an argument's words mean, if its setting allows that."""

    def __init__(self, setting: Setting, **options: Any) -> None:
        super().__init__(**options)
        self._setting = setting

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        value = self._setting.meant(values)
        if any(self._setting.faults(value, ())):
            raise argparse.ArgumentError(self, f"{shown(values)} is not {self._setting.allowed}")
        setattr(namespace, self.dest, value)


def taken(arguments: argparse.Namespace, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments that a function has parameters for, by name."""
    given, wanted = vars(arguments), signature(function).parameters
    return {name: given[name] for name in given if name in wanted}


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every program that writes a record."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--threads",
        default=ALL_CORES,
        help=f"{ALL_CORES!r} or a number, capped at the available cores",
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="record to write, JSON")


def add_files(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add some of FILES."""
    for name in names:
        parser.add_argument(f"--{name}", type=Path, required=True, help=FILES[name])


def add_replicate_argument(parser: argparse.ArgumentParser) -> None:
    """Add which of an experiment's trainings or searches this is."""
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )


def at_least(least: int) -> Callable[[str], int]:
    """Return the argparse type of whole numbers of at least ``least``."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number
