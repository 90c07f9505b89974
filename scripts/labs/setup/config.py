"""The checks of config.yaml, made before any job starts: one wrong setting, one line that names it.

The Snakefile calls check_syntax on the file and check on what Snakemake has read from it and from
the command line. What is allowed stands in workflow/schemas/config.schema.yaml.
"""

import difflib
import functools
import reprlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

SCHEMA = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.yaml"


class ConfigError(SystemExit):
    """A wrong setting. Uncaught, it ends the program with its one line and no traceback."""


def check_syntax(path: Path | str) -> None:
    """Raise ConfigError, with file, line and column, unless path holds YAML with keys at its top.

    Snakemake's own message about a file that does not parse names neither file nor line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
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


def check(config: Mapping[Any, Any]) -> None:
    """Raise ConfigError for the first setting in config that is not allowed."""
    errors = sorted(_validator().iter_errors(config), key=_by_kind_and_place)
    if errors:
        raise ConfigError(f"config: {_message(errors[0])}")
    for name, sizes in config["presets"].items():
        for key, values in {
            "compression.epochs": sizes["compression"]["epochs"],
            "compression.widths": sizes["compression"]["widths"],
            **{
                f"compression.{bits}.{training}": sizes["compression"][bits][training]
                for bits in ("integer-bits", "fractional-bits")
                for training in ("untrained", "trained")
            },
            "compilation.counts": sizes["compilation"]["counts"],
            "fusion.counts": sizes["fusion"]["counts"],
            "fusion.lengths": sizes["fusion"]["lengths"],
            "mxint8.linear.batches": sizes["mxint8"]["linear"]["batches"],
            "mxint8.partition.group-sizes": sizes["mxint8"]["partition"]["group-sizes"],
            "mxint8.kernels.group-sizes": sizes["mxint8"]["kernels"]["group-sizes"],
        }.items():
            if values != sorted(values):
                raise ConfigError(
                    f"config: presets.{name}.{key} is {_shown(values)}; "
                    f"allowed: the same in ascending order, {_shown(sorted(values))}"
                )
        compression = sizes["compression"]
        for key, needed in (("epochs", 1), ("learning-rates", compression["learning-rate"])):
            if needed not in compression[key]:
                raise ConfigError(
                    f"config: presets.{name}.compression.{key} is {_shown(compression[key])}; "
                    f"allowed: a list that holds {needed}, which the others are compared with"
                )


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


@functools.cache
def _validator() -> Any:
    """The schema's validator. A whole number is an int, neither 5.0 nor true; NaN is no number."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: isinstance(value, int) and not isinstance(value, bool),
            "number": lambda _, value: (
                isinstance(value, int | float) and not isinstance(value, bool) and value == value
            ),
        }
    )
    strict = extend(Draft202012Validator, type_checker=checker)
    return strict(yaml.safe_load(SCHEMA.read_text(encoding="utf-8")))


def _by_kind_and_place(error: ValidationError) -> tuple[int, int, str]:
    """Unknown keys first: one that is misspelt is also missing. Then the outer before the inner."""
    kinds = {"additionalProperties": 0, "required": 1}
    return (
        kinds.get(str(error.validator), 2),
        len(error.absolute_path),
        _dotted(error.absolute_path),
    )


def _message(error: ValidationError) -> str:
    """What is wrong, in the words: key, value given, what is allowed."""
    schema, given = cast("dict[str, Any]", error.schema), cast("Any", error.instance)
    known = schema.get("properties", {})
    if error.validator == "additionalProperties":
        key = min((key for key in given if key not in known), key=str)
        close = difflib.get_close_matches(str(key), known, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        return (
            f"{_dotted([*error.absolute_path, key])} (given as {_shown(given[key])}) "
            f"is no known key; {hint}allowed: {', '.join(known)}"
        )
    if error.validator == "required":
        key = next(key for key in schema["required"] if key not in given)
        return (
            f"{_dotted([*error.absolute_path, key])} is missing; "
            f"allowed: {_resolved(known[key])['description']}"
        )
    return f"{_dotted(error.absolute_path)} is {_shown(given)}; allowed: {schema['description']}"


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that a "$ref": "#/$defs/name" stands for; any other schema is its own."""
    if "$ref" not in schema:
        return schema
    definition: Mapping[str, Any] = _validator().schema["$defs"][schema["$ref"].split("/")[-1]]
    return definition


def _dotted(path: Iterable[Any]) -> str:
    """presets.quick.fusion.shape[2]"""
    name = ""
    for part in path:
        printable = str(part).encode("unicode_escape").decode()
        name += f"[{part}]" if isinstance(part, int) else f".{printable}"
    return name.removeprefix(".")


def _shown(value: Any) -> str:
    """The value on one line, at most a few words long."""
    return reprlib.repr(value)
