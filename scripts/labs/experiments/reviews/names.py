"""How reviews are put into batches."""

RANDOM, GROUPED = "random batches", "grouped batches"
