"""Files are written whole; records read back as written, and what is damaged is named."""

import errno
import fcntl
import math
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs import files
from labs.analysis.tables import tables
from labs.claims.statement import NO_NUMBER
from labs.evaluation import evaluate
from labs.experiments.lora.names import MERGED, UNMERGED
from labs.measure.lock import alone
from labs.records.gathering import gathered
from labs.records.observations import Observations
from labs.records.reading import RecordError, read
from labs.records.record import digest_of, not_measured, write
from tests.unit import kept


@pytest.mark.parametrize(
    "record",
    [kept.record("lora"), kept.record("formats"), not_measured("fusion", "cuda", "no device")],
)
def test_a_record_reads_back_as_it_was_written(record: dict[str, Any], tmp_path: Path) -> None:
    write(record, tmp_path / "record.json")
    assert read(tmp_path / "record.json") == {**record, "digest": digest_of(record)}


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        (["status"], "measured well", "status"),
        (["samples", 0, "seconds", 0], -1.0, "samples.0.seconds.0"),
        (["samples", 0, "seconds", 0], "fast", "samples.0.seconds.0"),
        (["samples", 0, "calls"], 0, "samples.0.calls"),
        (["device"], "tpu", "device"),
        (["facts", 0, "unit"], "furlongs", "facts.0.unit"),
        (["finished"], "yesterday", "finished"),
    ],
)
def test_an_edited_field_is_named(place: list[Any], value: Any, named: str, tmp_path: Path) -> None:
    record = kept.record("lora")
    inner = record
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    path = tmp_path / "record.json"
    write(record, path)
    with pytest.raises(RecordError) as failure:
        read(path)
    assert str(path) in str(failure.value)
    assert named in str(failure.value)


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


def test_a_training_that_diverged_is_recorded_judged_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for name in ("quantization", "pruning", "search"):
        record, seen = kept.record(name), Observations(process=0)
        diverged = kept.matching(record, "facts", {"process": 0, "unit": "bits"})
        for row in (row for row in diverged if "loss" in row["name"]):
            seen.fact(row["name"], math.nan, "bits", row["arm"])
            row["value"] = seen.rows["facts"][-1]["value"]
        write(record, path)
        evidence, found = evaluate(path)
        reasons = [claim.reason for claim in found.claims]
        assert (NO_NUMBER in reasons) == (name == "search")
        assert tables({evidence: found}, {evidence: "a command"})


def test_merging_adapters_that_diverged_is_recorded_and_judged(tmp_path: Path) -> None:
    record, seen = kept.record("lora"), Observations(process=0)
    seen.check(MERGED, UNMERGED, {"error": math.nan, "tolerance": 1e-4, "passed": False})
    record["checks"] += seen.rows["checks"]
    write(record, tmp_path / "record.json")
    merging = kept.judged(read(tmp_path / "record.json"))["lora.merge-exact"]
    assert (merging.verdict, merging.reason) == ("undecided", NO_NUMBER)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(length=st.integers(0, 20_000))
def test_a_truncated_record_is_named_in_the_error(length: int, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    write(kept.record("base_model"), path)
    whole = path.read_text()
    path.write_text(whole[: min(length, len(whole) - 2)])
    with pytest.raises(RecordError, match=r"record\.json"):
        read(path)


def test_parts_of_an_experiment_become_one_record() -> None:
    first, second = kept.record("formats"), kept.record("formats")
    first["spec"] = {"seed": 1, "curve": "widths", "replicate": 0}
    second["spec"] = {"seed": 1, "curve": "widths", "replicate": 1}
    second["environment"] |= {"host": "other", "usable_cores": 8}
    second["started"] = "2025-12-31T00:00:00+00:00"
    whole = gathered([first, second])
    assert whole["spec"] == {"seed": 1, "curve": "widths", "replicate": [0, 1]}
    assert whole["environment"]["host"] == f"{first['environment']['host']}; other"
    assert whole["environment"]["usable_cores"] == 8
    assert whole["started"] == second["started"] and whole["finished"] == first["finished"]
    assert len(whole["facts"]) == len(first["facts"]) + len(second["facts"])


def test_parts_measured_under_different_conditions_keep_the_gpu() -> None:
    parts = [kept.record("lora") for _ in range(2)]
    for part, torch, celsius in zip(parts, ("9.8", "9.9"), (40, 60), strict=True):
        part["environment"]["packages"]["torch"] = torch
        part["environment"]["gpu"] = {"name": "A GPU", "temperature_celsius": celsius}
    whole = gathered(parts)
    assert whole["environment"]["gpu"] == {"name": "A GPU", "temperature_celsius": 60}
    assert {("torch", "9.8; 9.9"), ("GPU temperature_celsius", "60")} <= {*kept.machine(whole)}


def test_parts_of_different_experiments_are_refused() -> None:
    with pytest.raises(RecordError, match="do not belong together"):
        gathered([kept.record("lora"), kept.record("formats")])


@pytest.mark.parametrize(("node", "beside"), [("its own", []), ("shared", ["loops"])])
def test_what_was_timed_on_a_shared_node_is_named(node: str, beside: list[str]) -> None:
    timed = kept.record("loops")
    timed["environment"] |= {"node": node, "allocation": "7; 8"}
    found = kept.machine(timed)
    assert [value for key, value in found if key == "beside"] == beside
    assert {("SLURM jobs", "2"), ("node", node)} <= {*found}


def test_replaces_whole_content_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.txt"
    files.write_bytes(path, b"a long first content\x00\r\n")
    assert path.read_bytes() == b"a long first content\x00\r\n"
    files.write_text(path, "12\u202fµs\n")
    assert path.read_bytes() == "12\u202fµs\n".encode()
    assert os.listdir(path.parent) == ["b.txt"]


def test_a_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        files.write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_writing_needs_no_chmod_or_fsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    for module, name in ((os, "fsync"), (os, "chmod"), (fcntl, "flock")):
        monkeypatch.setattr(module, name, refuse)
    with alone(tmp_path / "timing.lock"):
        files.write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        files.write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o644
