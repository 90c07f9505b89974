"""No measured number is typed into a template: numbers come from values, verdicts from claims."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment

TEMPLATES = Path(__file__).parents[2] / "report" / "templates"
SOURCES = sorted(TEMPLATES.rglob("*.j2"))

# Names and terms with digits that are not measurements. Keep it short: a number that depends on the
# machine belongs in values.csv.
ALLOWED = re.compile(
    r"ResNet-18|DeBERTa-v3-small"  # models' names
    r"|\b(?:b?float(?:16|32|64)|int(?:8|32)|[FB]P?F?16|FP32|MXINT8)\b"  # number formats
    r"|\bH[12]00\b"  # GPUs
    r"|\b0x[0-9A-F]{2}\b"  # a bit mask in the lab's code
    r"|\b[Ll]1\b"  # a norm, also in names of values
)
TAG = re.compile(r"<[^<>]*>")
# {name} in a sentence is replaced by a value.
PLACEHOLDER = re.compile(r"\{\.?[A-Za-z][\w.\-]*(?::\w+)?\}")
# A string without spaces names a value, a file or a column, unless it starts like a number.
NAME = re.compile(r"(?![~<>≈±+-]*\d)\S+")


def typed_numbers(source: str) -> list[str]:
    """Return the lines and strings of a template that contain a typed number."""
    found: list[str] = []
    text: list[str] = []
    in_formula = 0
    previous = ""
    for _, kind, word in Environment().lex(source):
        if kind == "data":
            text.append(word)
            continue
        if kind in ("variable_begin", "block_begin"):
            text.append("{}")
        if in_formula:
            in_formula += {"(": 1, ")": -1}.get(word, 0) if kind == "operator" else 0
            # A formula may contain whole numbers, since 1/2 is no measurement, but no decimals.
            if kind == "string" and re.search(r"\d\.\d", word):
                found.append(word)
        elif kind == "operator" and word == "(" and previous == "math":
            in_formula = 1
        elif kind == "string":
            found += [word] * _holds_number(word[1:-1])
        elif kind == "float" or (kind == "integer" and previous == "{{"):
            found.append(word)
        if kind != "whitespace":
            previous = word.rstrip("-+")
    # Tags are removed from the joined text, because an attribute may contain an expression.
    lines = TAG.sub("", "".join(text)).splitlines()
    return found + [line.strip() for line in lines if re.search(r"\d", ALLOWED.sub("", line))]


def _holds_number(string: str) -> bool:
    if NAME.fullmatch(string):
        return False
    words = ALLOWED.sub("", PLACEHOLDER.sub("", TAG.sub("", string)))
    return re.search(r"\d", words) is not None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_no_number_is_typed(path: Path) -> None:
    assert typed_numbers(path.read_text(encoding="utf-8")) == []


def test_templates_were_found() -> None:
    assert TEMPLATES / "macros.html.j2" in SOURCES
