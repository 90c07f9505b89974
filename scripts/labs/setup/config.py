"""The checks of config.yaml, made before any job starts: one wrong setting, one line that names it.

The Snakefile calls check_syntax on the file, and check on what Snakemake has read from it and from
the command line. What is allowed stands in settings.py. Snakemake's own environment has PyYAML;
nothing else is needed here.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from labs.setup.faults import first
from labs.setup.settings import SETTINGS


class ConfigError(SystemExit):
    """A wrong setting. Uncaught, it ends the program with its one line and no traceback."""


def check_syntax(path: Path | str) -> None:
    """Raise ConfigError, with file, line and column, unless path holds YAML with keys at its top.

    Snakemake's own message about a file that does not parse names neither file nor line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        if Path(path).suffix == ".json":
            text = text.replace("\t", " ")  # which YAML forbids
        settings = yaml.load(text, Loader=_StrictLoader)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start + 1} is not UTF-8 text") from None
    except yaml.reader.ReaderError as error:
        raise ConfigError(
            f"{path}: character {error.position + 1}, code {error.character}, is not allowed"
        ) from None
    except yaml.MarkedYAMLError as error:
        raise ConfigError(_syntax_message(path, text, error)) from None
    except (ValueError, RecursionError) as error:  # 2026-13-45 as a date, ten thousand brackets
        raise ConfigError(f"{path}: {error}") from None
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: has no keys at its top level; expected lines such as seed: 42")


def meant(config: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return config with the numbers that its texts spell, where numbers are allowed.

    Of a setting within another, Snakemake reads every value on its command line as a text.
    """
    return dict(SETTINGS.meant(config))


def check(config: Mapping[Any, Any]) -> None:
    """Raise ConfigError for the first setting in config that is not allowed."""
    faults = list(SETTINGS.faults(config, ()))
    if faults:
        raise ConfigError(f"config: {first(faults).text}")


def at_preset(config: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """Return the value of each setting at a preset by its dotted name, as search.reviews."""
    general = {name: key for name, key in config.items() if name not in ("preset", "presets")}
    return dict(_leaves({**general, **config["presets"][preset]}))


def changed(path: Path | str, config: Mapping[str, Any]) -> list[str]:
    """Return what a run sets otherwise than the file at path: search.reviews=2000, in JSON."""
    shipped = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    preset = config["preset"]
    given = at_preset(shipped, preset)
    return [
        f"{name}={json.dumps(value)}"
        for name, value in at_preset(config, preset).items()
        if value != given[name]
    ]


def _leaves(settings: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{start}{name}.")
        else:
            yield f"{start}{name}", value


class _StrictLoader(yaml.SafeLoader):
    """A SafeLoader that refuses a key given twice, of which YAML would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        mapping = super().construct_mapping(node, deep)
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key.value} is given twice", problem_mark=key.start_mark
                )
            seen.add(key.value)
        return mapping


def _syntax_message(path: Path | str, text: str, error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return f"{path}: {error.problem}"
    lines = text.splitlines() or [""]
    line = lines[min(mark.line, len(lines) - 1)].strip()
    return f"{path}: line {mark.line + 1}, column {mark.column + 1}: {error.problem}, at: {line}"
