"""One pass over a record: its values, the tables that show them, and the verdicts of its claims."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
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
    claims: Sequence[Claim]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of the record, by name."""
        tables: dict[str, pd.DataFrame] = {}
        for analysis in _of(self.record):
            tables |= analysis.tables(self.record, Values(self.values))
        return tables


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
    values = values_of(record)
    return Evaluated(record, values, claims_of(record, Values(values)))


def values_of(record: Record) -> dict[str, Quantity]:
    """Return the values of a record, by name. Raises ValueError for a name that is made twice."""
    values: dict[str, Quantity] = {}
    for name, value in (pair for analysis in _of(record) for pair in analysis.of(record)):
        if name in values:
            raise ValueError(f"the value {name} is made twice")
        values[name] = value
    return values


def prefixes(record: Record) -> list[str]:
    """Return how the names of a record's values begin, also of one that was not measured."""
    found = [one for one in analyses() if one.experiment == record["experiment"]]
    return list(dict.fromkeys(prefix for one in found for prefix in one.prefixes(record)))


def _of(record: Record) -> list[Analysis]:
    """Return what is read from a record; nothing of one that was not measured."""
    measured = record["status"] == MEASURED
    return [one for one in analyses() if measured and one.experiment == record["experiment"]]
