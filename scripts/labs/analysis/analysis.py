"""The values and tables that the report takes from one experiment's records, by name."""

from collections.abc import Callable, Mapping

import pandas as pd

from labs.analysis.frame import Value
from labs.records.record import Record

Values = Mapping[str, Value]
Evaluate = Callable[[Record], dict[str, Value]]
MakeTable = Callable[[Record, Values], pd.DataFrame]


class Analysis:
    """The functions of a module that read an experiment's records, registered by decorators.

    Values are made once for each record, and handed to the tables that show them. The names of
    values begin with the ``subject``, where that is not the whole experiment. Those of tables stand
    in the experiment's names.py as well, where the workflow finds them.
    """

    def __init__(self, experiment: str, subject: str = "") -> None:
        self.experiment, self._subject = experiment, subject or experiment
        self._evaluate: list[Evaluate] = []
        self._tables: dict[str, MakeTable] = {}

    def prefix(self, record: Record) -> str:
        """Return how the names of values begin of which each device has its own: "graphs.cpu"."""
        return f"{self._subject}.{record['device']}"

    def values(self, record: Record) -> dict[str, Value]:
        """Return the values of a record, by name."""
        return {name: one for make in self._evaluate for name, one in make(record).items()}

    def tables(self, record: Record, values: Values) -> dict[str, pd.DataFrame]:
        """Return the tables of a record with these values, by name."""
        return {name: make(record, values) for name, make in self._tables.items()}

    @property
    def table_names(self) -> list[str]:
        """The names of all tables."""
        return list(self._tables)

    def quoted(self, function: Evaluate) -> Evaluate:
        """Register a function that returns values that the report may quote, by name."""
        self._evaluate.append(function)
        return function

    def table(
        self, name: str
    ) -> Callable[[Callable[[Record], pd.DataFrame]], Callable[[Record], pd.DataFrame]]:
        """Register a function that makes a table of a record: tables/<name>.csv."""

        def add(function: Callable[[Record], pd.DataFrame]) -> Callable[[Record], pd.DataFrame]:
            self._tables[name] = lambda record, values: function(record)
            return function

        return add

    def table_of_values(self, name: str) -> Callable[[MakeTable], MakeTable]:
        """Register a function that makes a table of a record and its values."""

        def add(function: MakeTable) -> MakeTable:
            self._tables[name] = function
            return function

        return add
