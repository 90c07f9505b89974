"""The values and tables that the report takes from one experiment's records, by name."""

from collections.abc import Callable

import pandas as pd

from labs.analysis.frame import Value
from labs.records.record import Record

Values = Callable[[Record], dict[str, Value]]
MakeTable = Callable[[Record], pd.DataFrame]


class Analysis:
    """The functions of a module that read an experiment's records, registered by decorators.

    A table is named where it is made: the workflow finds ``….table("name")`` in the sources. The
    names of values begin with the ``subject``, where that is not the whole experiment.
    """

    def __init__(self, experiment: str, subject: str = "") -> None:
        self.experiment, self._subject = experiment, subject or experiment
        self.values: list[Values] = []
        self.tables: dict[str, MakeTable] = {}

    def prefix(self, record: Record) -> str:
        """Return how the names of values begin of which each device has its own: "graphs.cpu"."""
        return f"{self._subject}.{record['device']}"

    def quoted(self, function: Values) -> Values:
        """Register a function that returns values that the report may quote, by name."""
        self.values.append(function)
        return function

    def table(self, name: str) -> Callable[[MakeTable], MakeTable]:
        """Register a function that makes a table of the report: tables/<name>.csv."""

        def add(function: MakeTable) -> MakeTable:
            self.tables[name] = function
            return function

        return add
