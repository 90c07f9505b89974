"""One pass over a record: its values, the tables that show them, and the verdicts of its claims."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.judge import claims_of, rules
from labs.records.quantity import Quantity
from labs.records.reading import RecordError, read, using
from labs.records.record import MEASURED, Record
from labs.setup.discovery import modules
from labs.setup.machines import THIS


@cache
def analyses() -> list[Analysis]:
    """Return what is read from each experiment's records."""
    return [module.ANALYSIS for module in modules("values")]


@dataclass(frozen=True)
class Evaluated:
    """A record and what is read from it.

    One that was not measured has neither values nor tables; its claims say why.
    """

    record: Record
    values: Mapping[str, Quantity]
    tables: Mapping[str, pd.DataFrame]
    claims: Sequence[Claim]


def evaluate(path: Path, root: Path = Path(), machine: str = THIS) -> tuple[str, Evaluated]:
    """Return a record's path from the root, also where folders on the way are links, and what is
    read from it.

    Raises RecordError for a bad record, or one of an experiment that no claims are about.
    """
    record = read(path)
    if record["experiment"] not in rules():
        raise RecordError(f"{path}: no claims are about the experiment {record['experiment']}")
    evidence = Path(os.path.relpath(path, root)).as_posix()
    with using(path):
        found = evaluated(record)
    claims = [replace(claim, machine=machine, evidence=evidence) for claim in found.claims]
    return evidence, replace(found, claims=claims)


def evaluated(record: Record) -> Evaluated:
    """Return what is read from a record."""
    by_name = values_of(record)
    values = Values(by_name)
    return Evaluated(record, by_name, tables_of(record, values), claims_of(record, values))


def values_of(record: Record) -> dict[str, Quantity]:
    """Return the values of a record, by name."""
    values: dict[str, Quantity] = {}
    for analysis in _of(record):
        found = analysis.of(record)
        if twice := values.keys() & found.keys():
            raise ValueError(f"values are made twice: {', '.join(sorted(twice))}")
        values |= found
    return values


def tables_of(record: Record, values: Values) -> dict[str, pd.DataFrame]:
    """Return the tables of a record with these values, by name."""
    tables: dict[str, pd.DataFrame] = {}
    for analysis in _of(record):
        tables |= analysis.tables(record, values)
    return tables


def prefixes(record: Record) -> list[str]:
    """Return how the names of a record's values begin, also of one that was not measured."""
    found = [one for one in analyses() if one.experiment == record["experiment"]]
    return list(dict.fromkeys(one.prefix(record) for one in found))


def _of(record: Record) -> list[Analysis]:
    """Return what is read from a record; nothing of one that was not measured."""
    measured = record["status"] == MEASURED
    return [one for one in analyses() if measured and one.experiment == record["experiment"]]
