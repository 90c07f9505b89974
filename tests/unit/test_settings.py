"""Every key of config.yaml is described once, in words that say what its test allows."""

import argparse
import math
import re
from collections.abc import Iterator

import pytest
import yaml

from labs.jobs.arguments import add_settings
from labs.setup.kinds import Kind, Listing
from labs.setup.section import Section, Setting
from labs.setup.settings import SETTINGS, SIZES
from labs.setup.table import KEY, VALUE, WIDTH, table
from tests.shipped import SHIPPED, leaves


def described(section: Section, path: str = "") -> Iterator[tuple[str, Setting | Section]]:
    """The keys of a section and of those within it, dotted, and what is said of each."""
    for name, key in section.keys.items():
        yield f"{path}{name}", key
        if isinstance(key, Section):
            yield from described(key, f"{path}{name}.")


KEYS = dict(described(SETTINGS))
LEAVES = {name: key for name, key in KEYS.items() if isinstance(key, Setting)}
GENERAL = [name for name in LEAVES if not name.startswith("presets.")]
SIZED = [name.removeprefix("presets.smoke.") for name in LEAVES if ".smoke." in name]
KINDS: dict[str, Kind] = {}
for leaf in LEAVES.values():
    item = leaf.kind.item if isinstance(leaf.kind, Listing) else leaf.kind
    KINDS[item.allowed] = item
WHOLE = [words for words in KINDS if "a whole number" in words]
BELOW_0, ABOVE_0, BELOW_1, ABOVE_1 = (
    math.nextafter(end, end + step) for end in (0, 1) for step in (-1, 1)
)
SPANS: dict[str, tuple[list[float], list[float]]] = {
    "a number above 0 and of at most 1": ([ABOVE_0, 1, 1.0], [0, 0.0, ABOVE_1]),
    "a number above 0 and below 1": ([ABOVE_0, BELOW_1], [0, 0.0, 1, 1.0]),
    "a number of at least 0 and below 1": ([0, 0.0, BELOW_1], [BELOW_0, 1, 1.0]),
    "a number from 0 to 1": ([0, 0.0, 1, 1.0], [BELOW_0, ABOVE_1]),
    "a multiple of 64, the size of a head, up to 65536": (
        [64, 65536],
        [0, -64, 63, 65, 64.0, 65600],
    ),
}


def test_the_keys_are_those_of_config_yaml() -> None:
    assert LEAVES.keys() == {name for name, _ in leaves(SHIPPED)}


@pytest.mark.parametrize("name", KEYS)
def test_every_key_has_a_meaning(name: str) -> None:
    assert len(KEYS[name].meaning.split()) > 1


@pytest.mark.parametrize("name", LEAVES)
def test_counts_have_a_unit_and_words_have_none(name: str) -> None:
    unit, last = LEAVES[name].unit, name.split(".")[-1]
    if counted := re.search(r"whole numbers? of (\w+) from", LEAVES[name].allowed):
        assert unit == counted[1]
    if re.search("^reviews|held-out|batch|length|counts|widths|group-size|-bits", last):
        assert unit
    if re.fullmatch("preset|devices|source|name|(linear-)?dtypes|modes|models", last):
        assert not unit


@pytest.mark.parametrize("words", WHOLE)
def test_a_whole_number_lies_between_the_ends_that_are_told(words: str) -> None:
    span = re.search(r"from (\d+) to (\d+)$", words)
    assert span
    low, high = map(int, span.groups())
    allows = KINDS[words].allows
    assert allows(low) and allows(high)
    for value in (low - 1, high + 1, float(low), float(high), True, False, str(low), [low], None):
        assert not allows(value)


def test_the_edges_of_every_other_range_are_known() -> None:
    assert {words for words in KINDS if re.match("a (number|multiple) ", words)} == SPANS.keys()


@pytest.mark.parametrize("words", SPANS)
def test_a_range_ends_where_it_is_told_to(words: str) -> None:
    inside, outside = SPANS[words]
    assert all(KINDS[words].allows(value) for value in inside)
    for value in (*outside, math.nan, math.inf, -math.inf, True, False, "0.5", [0.5], None):
        assert not KINDS[words].allows(value)


@pytest.mark.parametrize("preset", SHIPPED["presets"])
def test_a_program_reads_the_sizes_from_its_arguments_as_they_are(preset: str) -> None:
    parser = argparse.ArgumentParser()
    add_settings(parser, SIZES)
    sizes = dict(leaves(SHIPPED["presets"][preset]))
    words: list[str] = []
    for name, value in sizes.items():
        given = value if isinstance(value, list) else [value]
        words += [f"--{name.replace('.', '-')}", *map(str, given)]
    found = vars(parser.parse_args(words))
    names = {name: name.replace(".", "_").replace("-", "_") for name in sizes}
    assert {name: found[names[name]] for name in sizes} == sizes
    assert {type(found["lora_dropout"]), type(found["base_model_least_accuracy"])} == {float}


def rows() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in table(SHIPPED).splitlines():
        if not line.startswith(" "):
            lines = found.setdefault(line.split("  ")[0], [])
        lines.append(line)
    return found


def cells(lines: list[str], start: int, width: int) -> str:
    """What stands in a column, across the lines that it is wrapped into."""
    return " ".join(line[start : start + width].strip() for line in lines).strip()


@pytest.mark.parametrize("name", GENERAL)
def test_the_table_has_each_general_setting(name: str) -> None:
    text = cells(rows()[name], KEY + 2, WIDTH)
    value, key = dict(leaves(SHIPPED))[name], LEAVES[name]
    assert text == f"{value} {key.meaning} allowed: {key.allowed}"


@pytest.mark.parametrize("name", SIZED)
def test_the_table_has_each_size_in_every_preset(name: str) -> None:
    lines, key = rows()[name], LEAVES[f"presets.quick.{name}"]
    text = cells(lines, KEY + 2, WIDTH)
    meaning = f"{key.meaning}; in {key.unit}" if key.unit else key.meaning
    assert text.endswith(f"{meaning} allowed: {key.allowed}")
    words = next(number for number, line in enumerate(lines) if meaning.startswith(line.strip()))
    for column, preset in enumerate(SHIPPED["presets"]):
        value = dict(leaves(SHIPPED["presets"][preset]))[name]
        shown = cells(lines[:words], KEY + 2 + column * (VALUE + 2), VALUE)
        assert yaml.safe_load(shown) == value


def test_the_table_fits_a_terminal() -> None:
    assert max(map(len, table(SHIPPED).splitlines())) <= WIDTH <= 120
