"""A record that was damaged in any way is used as it is, or named in one line with a remedy."""

import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs.analysis.tables import tables
from labs.claims.judge import judge
from labs.records.reading import RecordError, read
from labs.records.record import digest_of
from tests.unit.kept import RECORDS

# In place of what was there.
ODD: list[Any] = [None, True, -1, 0, 1e308, math.nan, "", "nothing", [], {}, [[]], {"a": 1}]


def places(record: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a record, as the keys that lead to it; of long lists, the ends."""
    inside = record.items() if isinstance(record, dict) else enumerate(record)
    for key, value in inside:
        if isinstance(record, list) and 3 < key < len(record) - 1:
            continue
        yield (*before, key)
        if isinstance(value, dict | list):
            yield from places(value, (*before, key))


PLACES = {name: list(places(record)) for name, record in RECORDS.items()}


@st.composite
def damages(draw: st.DrawFn) -> tuple[str, tuple[Any, ...], str, Any]:
    """An experiment, a place in its record, what is done there, and what may be put there."""
    name = draw(st.sampled_from(sorted(RECORDS)))
    place = draw(st.sampled_from(PLACES[name]))
    what = draw(st.sampled_from(["without", "twice", "odd"]))
    return name, place, what, draw(st.sampled_from(ODD))


def damaged(name: str, place: tuple[Any, ...], what: str, odd: Any) -> dict[str, Any]:
    """A record in which something is missing, doubled or replaced."""
    record: dict[str, Any] = copy.deepcopy(RECORDS[name])
    *way, last = place
    inner: Any = record
    for key in way:
        inner = inner[key]
    if what == "without":
        del inner[last]
    elif what == "twice" and isinstance(inner, list):
        inner.append(inner[last])
    else:
        inner[last] = odd
    return record


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damage=damages())
def test_a_damaged_record_is_used_or_named_with_a_remedy(
    damage: tuple[str, tuple[Any, ...], str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    record = damaged(*damage)
    path.write_text(json.dumps({**record, "digest": digest_of(record)}))
    for use in (
        lambda: json.dumps(judge(path, path.parent, "this machine"), allow_nan=False),
        lambda: tables({str(path): read(path)}, {str(path): "a command"}),
    ):
        try:
            use()
        except RecordError as error:
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)


def test_what_is_no_file_or_no_record_is_named(tmp_path: Path) -> None:
    for name, make in {
        "folder": Path.mkdir,
        "deep": lambda path: path.write_text("[" * 100_000),
        "bytes": lambda path: path.write_bytes(b"\xff\xfe\x00"),
        "empty": Path.touch,
    }.items():
        path = tmp_path / name
        make(path)
        with pytest.raises(RecordError, match=f"^{path}: "):
            read(path)
    with pytest.raises(RecordError, match="none: cannot be read: No such file"):
        read(tmp_path / "none")
