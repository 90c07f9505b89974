"""How reviews are put into batches."""

from __future__ import annotations

RANDOM, GROUPED = "random batches", "grouped batches"
