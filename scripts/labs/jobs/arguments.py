"""Arguments of jobs: settings of config.yaml, files, and which part of an experiment it is."""

import argparse
import reprlib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from labs.setup.kinds import Listing
from labs.setup.section import Section, Setting

FILES = {
    "encoder": "folder with config.json, model.safetensors",
    "model": "the base model, safetensors",
    "parts": "the records of search/architectures, one a chain",
    "program": "cute_partition, from the build of mxint_cuda",
    "quantized": "the model to prune, safetensors",
    "reviews-file": "Parquet: text, label, split",
    "save-model": "weights to write, safetensors",
    "studies": "folder that keeps the evaluations",
    "tokens": "Parquet: tokens, label, split",
    "vocabulary": "vocab.txt",
}
"""The files and folders that jobs read and write beside the record."""


def add_settings(parser: argparse.ArgumentParser, section: Section, prefix: str = "--") -> None:
    """Add the settings of a section as required arguments.

    The setting batch-size of the section bert-tiny is --bert-tiny-batch-size.
    """
    for name, setting in section.keys.items():
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
        value = self._setting.coerce(values)
        if any(self._setting.faults(value, ())):
            raise argparse.ArgumentError(
                self, f"{reprlib.repr(values)} is not {self._setting.allowed}"
            )
        setattr(namespace, self.dest, value)


def arguments_for(arguments: argparse.Namespace, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments that a function, or a dataclass, has parameters for, by name."""
    given, wanted = vars(arguments), signature(function).parameters
    return {name: given[name] for name in given if name in wanted}


def add_files(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add some of FILES."""
    for name in names:
        nargs = "+" if name == "parts" else None
        parser.add_argument(f"--{name}", type=Path, nargs=nargs, required=True, help=FILES[name])
