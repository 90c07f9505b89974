"""Figures of question 3, one file an experiment."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reporting.figures.mxint8 import formulas, linear, memory, partition


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw all figures of one device; the partition, which has none, with the CPU's."""
    found = {
        name: table[table["device"] == device]
        for name, table in tables.items()
        if name.startswith("mxint8_") and "device" in table
    }
    formulas.draw(found, device, folder)
    linear.draw(found, device, folder)
    memory.draw(found, device, folder)
    if device == "cpu":
        partition.draw(tables, folder)
