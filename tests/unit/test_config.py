"""A wrong setting gives one line with the key, the value and what is allowed; nothing else."""

import ast
import copy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.setup.config import ConfigError, changed, check_syntax, settings_of
from labs.setup.settings import PRESETS, SETTINGS
from labs.setup.sources import code_of
from tests.shipped import CONFIG, SHIPPED, leaves

Place = tuple[Any, ...]


def places(node: Any, path: Place = ()) -> Iterator[Place]:
    """The paths of everything within a config, containers and their items alike."""
    items: Any = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


PLACES = list(places(SHIPPED))
AS_WRITTEN = yaml.safe_load(CONFIG.read_text())["presets"]
# Of these, some floats and some words are settings like any other.
FRACTIONS = [
    place
    for place in PLACES
    if "rate" in str(place[-1])
    or place[-1] in ("dropout", "least-accuracy")
    or {"learning-rates", "penalties", "sparsities"}.intersection(place[:-1])
]
NAMES = [place for place in PLACES if place[-1] == "name"]
KEYS = [place for place in PLACES if isinstance(place[-1], str)]
SECTIONS: list[Place] = [(), *(place for place in PLACES if isinstance(place[-1], str))]

# What no setting may be.
NONSENSE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(max_value=-1),
    st.integers(min_value=2**33, max_value=10**300),
    st.floats(),  # NaN and the infinities among them; 5.0 too: a count is a whole number
    st.text().filter(lambda word: word not in ("all", "auto", *PRESETS)),
    st.binary(),
    st.dates(),
    st.just([]),
    st.just({}),
    st.lists(st.none(), min_size=1, max_size=5),
    st.dictionaries(st.text(), st.integers(), max_size=3),
)


def within(config: Any, place: Place) -> Any:
    for key in place:
        config = config[key]
    return config


def altered(place: Place, value: Any) -> Any:
    config = copy.deepcopy(SHIPPED)
    within(config, place[:-1])[place[-1]] = value
    return config


def dotted(place: Place) -> str:
    words = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in place]
    return "".join(words).removeprefix(".")


def message(config: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        settings_of(config)
    text = str(caught.value)
    assert text.isprintable()  # and so on one line
    return text


def test_the_checks_import_nothing_that_snakemake_lacks() -> None:
    packages = set()
    found = [f"scripts/labs/experiments/**/{name}.py" for name in ("sizes", "names")]
    for file in code_of("scripts/show_settings.py", *found):
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                packages |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                packages.add(str(node.module).split(".")[0])
    assert packages - sys.stdlib_module_names == {"labs", "yaml"}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("devices", ["auto", ["cpu"], ["cpu", "cuda"]])
def test_the_shipped_config_is_allowed(preset: str, devices: Any) -> None:
    settings_of({**SHIPPED, "preset": preset, "devices": devices})


def test_what_a_run_sets_otherwise_than_the_file_is_listed() -> None:
    assert changed(CONFIG, SHIPPED) == []
    config = copy.deepcopy(SHIPPED) | {"seed": 7}
    config["presets"]["quick"]["fusion"]["shape"] = [1, 2, 3, 4]
    config["presets"]["full"]["rounds"] = 9
    assert changed(CONFIG, config) == ["seed=7", "fusion.shape=[1, 2, 3, 4]"]
    assert changed(CONFIG, config | {"preset": "full"}) == ["seed=7", "rounds=9"]


@given(place=st.sampled_from(PLACES), value=NONSENSE)
def test_nonsense_anywhere_is_refused_by_its_key(place: Place, value: Any) -> None:
    assume(not (place in NAMES and isinstance(value, str)))
    assume(not (place in FRACTIONS and isinstance(value, float) and 0 <= value <= 1))
    assume(not (isinstance(value, str) and spells_a_number(value)))  # which may be allowed
    assert dotted(place) in message(altered(place, value))


def spelled(node: Any) -> Any:
    """A config whose numbers are texts, as Snakemake reads them from its command line."""
    if isinstance(node, dict):
        return {key: spelled(value) for key, value in node.items()}
    if isinstance(node, list):
        return [spelled(value) for value in node]
    return str(node)


def test_numbers_may_be_spelled_as_texts() -> None:
    assert settings_of(spelled(SHIPPED)) == SHIPPED


def spells_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(place=st.sampled_from(PLACES), value=NONSENSE)
def test_a_text_that_spells_no_allowed_number_stays_as_it_is(place: Place, value: Any) -> None:
    assume(not (isinstance(value, str) and spells_a_number(value)))
    config = altered(place, value)
    assert repr(dict(SETTINGS.coerce(config))) == repr(config)


@given(place=st.sampled_from(KEYS))
def test_a_missing_key_is_named(place: Place) -> None:
    config = copy.deepcopy(SHIPPED)
    del within(config, place[:-1])[place[-1]]
    assert message(config).startswith(f"config: {dotted(place)} is missing; allowed: ")


@given(place=st.sampled_from(SECTIONS), key=st.one_of(st.text(), st.integers(), st.none()))
def test_an_unknown_key_is_named(place: Place, key: Any) -> None:
    config = copy.deepcopy(SHIPPED)
    section = within(config, place)
    if not isinstance(section, dict) or key in section:
        return
    section[key] = 1
    assert "is no known key" in message(config)


def endless() -> list[Any]:
    """A list that holds itself, as the YAML "&a [*a]" does."""
    values: list[Any] = []
    values.append(values)
    return values


def deep(wrap: Callable[[Any], Any]) -> Any:
    """More levels than a recursive function can follow."""
    value: Any = 1
    for _ in range(100_000):
        value = wrap(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        endless(),
        [endless(), endless()],
        deep(lambda inner: [inner]),
        deep(lambda inner: {"seed": inner}),
    ],
    ids=["endless", "two endless", "deep list", "deep sections"],
)
@given(place=st.sampled_from(PLACES))
def test_what_cannot_be_printed_whole_is_refused_by_its_key(place: Place, value: Any) -> None:
    assert dotted(place) in message(altered(place, value))


@given(config=st.recursive(NONSENSE, lambda inner: st.dictionaries(st.text(), inner)))
def test_anything_at_all_gives_a_message_and_no_other_error(config: Any) -> None:
    message(config)


def test_faults_are_told_one_after_the_other_until_none_is_left() -> None:
    config = copy.deepcopy(SHIPPED)
    full, curves = config["presets"]["full"], config["presets"]["full"]["compression"]
    del config["seed"]
    full["lora"]["ranks"] = full["rounds"] = 0
    curves["epochs"] = [4, 2]
    mend: list[tuple[str, Callable[[], Any]]] = [
        ("presets.full.lora.ranks (given as 0) is no", lambda: full["lora"].pop("ranks")),
        ("seed is missing", lambda: config.update(seed=42)),
        ("presets.full.rounds is 0", lambda: full.update(rounds=1)),
        ("presets.full.compression.epochs is [4, 2]", lambda: curves.update(epochs=[1])),
    ]
    for told, right in mend:
        assert message(config).startswith(f"config: {told}")
        right()
    settings_of(config)


def extending(**presets: Any) -> dict[str, Any]:
    """The shipped config with further keys in its presets."""
    config = copy.deepcopy(SHIPPED)
    for name, keys in presets.items():
        config["presets"][name] |= keys
    return config


def test_a_preset_has_what_it_does_not_name_from_the_one_that_it_extends() -> None:
    config = extending(full={"extends": "smoke"})
    del config["presets"]["full"]["rounds"], config["presets"]["full"]["fusion"]["shape"]
    config["presets"]["smoke"] |= {"extends": "quick", "rounds": 3}
    del config["presets"]["smoke"]["fusion"]["shape"]
    presets = settings_of(config)["presets"]
    assert presets["full"]["rounds"] == 3
    assert presets["full"]["fusion"]["shape"] == SHIPPED["presets"]["quick"]["fusion"]["shape"]
    assert presets["full"]["fusion"]["lengths"] == SHIPPED["presets"]["full"]["fusion"]["lengths"]


@pytest.mark.parametrize("name", [name for name in PRESETS if "extends" in AS_WRITTEN[name]])
def test_a_shipped_preset_names_nothing_that_it_has_anyway(name: str) -> None:
    own = dict(leaves(AS_WRITTEN[name]))
    base = dict(leaves(SHIPPED["presets"][own.pop("extends")]))
    assert [key for key in own if own[key] == base.get(key)] == []


def test_what_is_wrong_in_a_preset_is_not_told_of_those_that_extend_it() -> None:
    config = extending(quick={"rounds": 0}, full={"extends": "quick"})
    del config["presets"]["full"]["rounds"]
    assert message(config).startswith("config: presets.quick.rounds is 0; ")


@pytest.mark.parametrize(
    ("presets", "said"),
    [
        (
            {"full": {"extends": "fast"}},
            "presets.full.extends is 'fast'; allowed: quick, smoke or standard",
        ),
        ({"full": {"extends": ["quick"]}}, "presets.full.extends is ['quick']; allowed:"),
        (
            {"full": {"extends": "full"}},
            "presets.full.extends is 'full'; allowed: quick, smoke or standard",
        ),
        (
            {"full": {"extends": "quick"}, "quick": {"extends": "full"}},
            "presets.full.extends is 'quick'; allowed: smoke",
        ),
    ],
)
def test_a_preset_extends_one_that_does_not_extend_it(presets: dict[str, Any], said: str) -> None:
    assert said in message(extending(**presets))


CURVES = "presets", "quick", "compression"


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("preset",), "huge", "preset is 'huge'; allowed: smoke, quick, standard or full"),
        (
            ("presets", "quick", "rouns"),
            9,
            "rouns (given as 9) is no known key; did you mean rounds?",
        ),
        # Curves that could not be judged.
        ((*CURVES, "widths"), [32, 8], "allowed: the same in ascending order, [8, 32]"),
        ((*CURVES, "widths"), [0, 8], "allowed: a whole number from 2 to 32"),
        ((*CURVES, "widths"), [8, 8], "allowed: a list of different whole numbers"),
        ((*CURVES, "widths"), [8.0, 8], "widths[0] is 8.0; allowed: a whole number"),
        ((*CURVES, "epochs"), [2, 4], "allowed: a list that holds 1"),
    ],
)
def test_what_is_refused_is_told_with_what_is_right(place: Place, value: Any, told: str) -> None:
    assert told in message(altered(place, value))


@pytest.mark.parametrize(
    ("text", "where", "offender"),
    [
        ("seed: 42\npreset: [smoke\n", "line 3, column 1", "']'"),
        ("seed: 42\n\tpreset: smoke\n", "line 2, column 1", "preset: smoke"),
        ("seed: 42\nthreads: all\nseed: 7\n", "line 3, column 1", "seed is given twice"),
        ("presets:\n  quick:\n    rounds: *few\n", "line 3, column 13", "few"),
    ],
)
def test_a_fault_of_yaml_is_located(tmp_path: Path, text: str, where: str, offender: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        check_syntax(path)
    assert str(caught.value).startswith(f"{path}: {where}: ")
    assert offender in str(caught.value)


@given(data=st.binary(max_size=60))
def test_bytes_parse_or_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    try:
        check_syntax(path)
    except ConfigError as error:
        assert str(path) in str(error)
