"""The values and tables that the report takes from one experiment's records, by name."""

from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from labs.analysis.values import Tree, Values, joined, named
from labs.records.quantity import Quantity
from labs.records.record import Record

Evaluate = Callable[[Record], Tree]
MakeTable = Callable[[Record], pd.DataFrame]
MakeTableOfValues = Callable[[Record, Values], pd.DataFrame]


class Analysis:
    """The functions of a module that read an experiment's records, registered by decorators.

    Values are made once for each record, and handed to the tables and claims that show them. Their
    names begin with the ``subject``, where that is not the whole experiment, and with the device
    where each has its own. The names of tables stand in the experiment's names.py as well, where
    the workflow finds them.
    """

    def __init__(
        self,
        experiment: str,
        subject: str = "",
        per_device: bool = False,
        models: Sequence[str] = (),
    ) -> None:
        """Of several ``models``, the names go on with the model, and then the device."""
        self.experiment, self._subject = experiment, subject or experiment
        self._per_device, self._models = per_device, models
        self._evaluate: list[Evaluate] = []
        self._tables: dict[str, MakeTableOfValues] = {}

    def prefix(self, record: Record) -> str:
        """Return how the names of a record's values begin: "search", or "graphs.cpu"."""
        return f"{self._subject}.{record['device']}" if self._per_device else self._subject

    def prefixes(self, record: Record) -> list[str]:
        """Return how the names of a record's values begin, and those of no other device's."""
        of_models = [joined(self._subject, model, record["device"]) for model in self._models]
        return of_models or [self.prefix(record)]

    def of(self, record: Record) -> Iterator[tuple[str, Quantity]]:
        """Yield the values of a record, each with its name."""
        for make in self._evaluate:
            yield from named(make(record), self.prefix(record))

    def tables(self, record: Record, values: Values) -> dict[str, pd.DataFrame]:
        """Return the tables of a record with these values, by name."""
        return {name: make(record, values) for name, make in self._tables.items()}

    @property
    def table_names(self) -> list[str]:
        """The names of all tables."""
        return list(self._tables)

    def values(self, function: Evaluate) -> Evaluate:
        """Register a function that returns values that the report may quote, without the prefix."""
        self._evaluate.append(function)
        return function

    def table(self, name: str) -> Callable[[MakeTable], MakeTable]:
        """Register a function that makes a table of a record: tables/<name>.csv."""

        def add(function: MakeTable) -> MakeTable:
            self._tables[name] = lambda record, values: function(record)
            return function

        return add

    def table_of_values(self, name: str) -> Callable[[MakeTableOfValues], MakeTableOfValues]:
        """Register a function that makes a table of a record and its values behind the prefix."""

        def add(function: MakeTableOfValues) -> MakeTableOfValues:
            self._tables[name] = lambda record, values: function(
                record, values.below(self.prefix(record))
            )
            return function

        return add
