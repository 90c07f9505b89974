"""The checks of config.yaml, made before any job starts: one wrong setting, one line that names it.

The Snakefile calls check_syntax on the file, and settings_of on what Snakemake has read from it and
from the command line. What is allowed stands in settings.py and in the experiments' sizes.py. Of
Snakemake's own environment PyYAML is needed here, and nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from labs.setup.faults import Fault, first, wrong
from labs.setup.kinds import listed
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
    except yaml.MarkedYAMLError as error:
        raise ConfigError(_syntax_message(path, text, error)) from None
    # A character that YAML does not allow, 2026-13-45 as a date, ten thousand brackets.
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(settings, dict):
        raise ConfigError(f"{path}: has no keys at its top level; expected lines such as seed: 42")


def settings_of(given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the settings that are given, checked, each preset whole.

    Of a setting within another, Snakemake reads every value on its command line as a text: where a
    number is allowed, it becomes one.  Raises ConfigError for the first that is not allowed.
    """
    config = SETTINGS.coerce(whole_presets(given))
    if faults := _not_inherited(list(SETTINGS.faults(config, ())), given):
        raise ConfigError(f"config: {first(faults).text}")
    return dict(config)


def _not_inherited(faults: list[Fault], given: Any) -> list[Fault]:
    """Return faults without those that a preset has from the one that it extends."""
    texts = {fault.text for fault in faults}

    def inherited(fault: Fault) -> bool:
        if fault.path[:1] != ("presets",) or len(fault.path) < 2:
            return False
        own, preset = fault.path[1], given["presets"][fault.path[1]]
        base = preset.get("extends") if isinstance(preset, Mapping) else None
        return fault.text.replace(f"presets.{own}", f"presets.{base}", 1) in texts - {fault.text}

    return [fault for fault in faults if not inherited(fault)]


def read(path: Path | str) -> dict[str, Any]:
    """Return what a config file sets, each preset whole; it is not checked."""
    return dict(whole_presets(yaml.safe_load(Path(path).read_text(encoding="utf-8"))))


def whole_presets(config: Any) -> Any:
    """Return a config whose presets have the settings of the presets that they extend, too."""
    presets = config.get("presets") if isinstance(config, Mapping) else None
    if not isinstance(presets, Mapping):
        return config
    return {**config, "presets": {name: _extended(name, presets) for name in presets}}


def _extended(name: Any, presets: Mapping[Any, Any], by: tuple[Any, ...] = ()) -> Any:
    """Return a preset with what it extends; ``by`` are those that extend it."""
    preset = presets[name]
    if not isinstance(preset, Mapping) or "extends" not in preset:
        return preset
    base = preset["extends"]
    allowed = [other for other in presets if other not in (*by, name)]
    if base not in allowed:
        raise ConfigError(
            f"config: {wrong(base, ('presets', name, 'extends'), listed(allowed, 'or')).text}"
        )
    own = {key: value for key, value in preset.items() if key != "extends"}
    return _merged(_extended(base, presets, (*by, name)), own)


def _merged(base: Any, own: Any) -> Any:
    """Return the value of ``own``; of two mappings, one with the keys of both."""
    if not isinstance(base, Mapping) or not isinstance(own, Mapping):
        return own
    both = {key: _merged(base[key], own[key]) for key in base.keys() & own.keys()}
    return {**base, **own, **both}


def at_preset(config: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """Return the value of each setting at a preset by its dotted name, as search.reviews."""
    general = {name: key for name, key in config.items() if name not in ("preset", "presets")}
    return dict(_leaves({**general, **config["presets"][preset]}))


def changed(path: Path | str, config: Mapping[str, Any]) -> list[str]:
    """Return what a run sets otherwise than the file at path: search.reviews=2000, in JSON."""
    preset = config["preset"]
    given = at_preset(read(path), preset)
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
    mark, lines = error.problem_mark, text.splitlines()
    assert mark is not None
    line = lines[min(mark.line, len(lines) - 1)].strip()
    return f"{path}: line {mark.line + 1}, column {mark.column + 1}: {error.problem}, at: {line}"
