"""What stood around the numbers of a run: code, settings, machine, packages and data.

A record says itself which code, settings, machine and packages it was measured with. Of a program
that writes no record, of the build, of the lock and of the data, it is what lies in the folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from labs.records.record import MEASURED, Record
from labs.setup.software import pins
from labs.setup.sources import code_of, digest, digest_of

Facts = dict[str, dict[str, str]]
"""Facts by kind, one of KINDS, and name."""

RECORD, CODE, SETTING, MACHINE, PACKAGE, DATA = KINDS = (
    "record",
    "code",
    "setting",
    "machine",
    "package",
    "data",
)
ALL_FILES = "all files"
"""The name of the digest of all code; beside it stand those of the files, where they are known."""

EVALUATING = ("make_tables", "judge_claims", "draw_figures")
"""The programs that turn records into what a report is written from."""

NOT_MACHINE = ("packages", "code", "commit", "changes", "allocation", "gpu")
MOMENTARY = ("sm_clock_mhz", "memory_clock_mhz", "power_watts", "temperature_celsius")
"""What a GPU says of itself that is never the same twice."""


def of_record(record: Record, programs: Mapping[str, Mapping[str, str]]) -> Facts:
    """Return the facts of a record; its code by file where ``programs`` has the digest of it."""
    if record["status"] != MEASURED:
        return {RECORD: {"status": record["status"]}}
    environment = record["environment"]
    gpu = {f"GPU {key}": value for key, value in environment.get("gpu", {}).items()}
    machine = {key: value for key, value in environment.items() if key not in NOT_MACHINE}
    return {
        RECORD: {"status": record["status"]},
        CODE: _code(environment.get("code", "not checked"), programs),
        SETTING: _texts(record["spec"]),
        MACHINE: _texts(machine | {key: gpu[key] for key in gpu if key[4:] not in MOMENTARY}),
        PACKAGE: _texts(environment["packages"]),
    }


def of_folder(results: Path) -> dict[str, Facts]:
    """Return what lies beside records: programs that write none, the build, the lock, the data."""
    found: dict[str, Facts] = {name: {CODE: _files(f"scripts/{name}.py")} for name in EVALUATING}
    manifest = results.parent / "build" / "manifest.json"
    if manifest.exists():
        found["mxint_cuda, as built"] = {CODE: _short(json.loads(manifest.read_text()))}
    found["the lock"] = {PACKAGE: {name: pin.partition("==")[2] for name, pin in pins().items()}}
    found["results/data"] = {DATA: {path.name: _content(path) for path in _data(results)}}
    return found


def programs() -> dict[str, dict[str, str]]:
    """Return the digests of the files of every program in this folder, by the program's digest."""
    found = sorted(path.as_posix() for path in Path("scripts").glob("*.py"))
    return {digest_of(program): _files(program) for program in found}


def _code(digests: str, programs: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the digest of a record's code, or of several programs, and of their files if known."""
    files = {
        file: found for one in digests.split("; ") for file, found in programs.get(one, {}).items()
    }
    is_known = all(one in programs for one in digests.split("; "))
    return {ALL_FILES: digests} | (files if is_known else {})


def _files(program: str) -> dict[str, str]:
    return {ALL_FILES: digest_of(program)} | {file: digest(file) for file in code_of(program)}


def _data(results: Path) -> Iterable[Path]:
    return sorted((results.parent / "data").glob("[!.]*"))


def _content(path: Path) -> str:
    """Return the digest of a file, or of all files below a folder."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return digest(*map(str, files))


def _short(digests: Mapping[str, str]) -> dict[str, str]:
    return {file: found[:16] for file, found in digests.items()}


def _texts(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return settings and the like as texts: a list is its words."""
    return {
        key.replace("_", " "): " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in facts.items()
    }
