"""Records of a real run of quick, as they are and with what a test changes in them."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from labs.analysis.tables import tables
from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.judge import claims_of
from labs.evaluation import evaluated, values_of
from labs.records.packed import pack, unpack

Row = dict[str, Any]
KEPT = Path(__file__).parents[1] / "report" / "quick.zip"

with ZipFile(KEPT) as archive:
    TEXTS = {
        name.removeprefix("results/quick/records/").removesuffix(".json"): archive.read(name)
        for name in archive.namelist()
    }
"""The content of each file: formats is a name, and fusion/cpu."""


def fact(process: int, name: str, value: float | str, unit: str, arm: str, **case: Any) -> Row:
    row = {"process": process, "arm": arm, "case": case}
    return {**row, "name": name, "value": value, "unit": unit}


def record(name: str) -> Row:
    """A record."""
    found: Row = json.loads(TEXTS[name])
    return found


RECORDS = {
    found["experiment"]: found for found in map(record, TEXTS) if found["status"] == "measured"
}


def judged(of: Row) -> dict[str, Claim]:
    """The claims of a record, by id."""
    return {claim.id: claim for claim in claims_of(of, Values(values_of(of)))}


def machine(*records: Row) -> list[tuple[str, str]]:
    """What is said of the machines that records come from, in its order."""
    files = {f"{number}.json": evaluated(of) for number, of in enumerate(records)}
    found = tables(files, dict.fromkeys(files, "a command"))["machine"]
    return list(zip(found["key"], found["value"], strict=True))


def matching(of: Row, kind: str, where: Row) -> list[Row]:
    """The rows of a kind with these entries, their own or those of their case."""
    return [row for row in of[kind] if where.items() <= {**row, **row["case"]}.items()]


def edited(name: str, kind: str, values: Row, /, **where: Any) -> Row:
    """A record with other entries in the rows of a kind that match."""
    of = record(name)
    for row in matching(of, kind, where):
        row |= values
    return of


def told(name: str, fact: str, value: float | str, /, **where: Any) -> Row:
    """A record with another value of a fact."""
    return edited(name, "facts", {"value": value}, name=fact, **where)


def timed(name: str, arm: str, factor: float, /, **where: Any) -> Row:
    """A record in which an arm takes so many times as long."""
    of = record(name)
    for row in matching(of, "samples", {"quantity": "steady", "arm": arm, **where}):
        row["seconds"] = [factor * second for second in row["seconds"]]
    return of


def answer(of: Row, share: float, /, **where: Any) -> Row:
    """The record, in which this share of a model's answers is right: the first of them."""
    for row in matching(of, "facts", {"name": "correct", **where}):
        number = len(unpack(row["value"]))
        row["value"] = pack(np.arange(number) < share * number)
    return of


def answered(name: str, share: float, /, **where: Any) -> Row:
    """A record in which this share of a model's answers is right."""
    return answer(record(name), share, **where)
