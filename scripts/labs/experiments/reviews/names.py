"""How reviews are put into batches."""

RANDOM, GROUPED = "random batches", "grouped batches"

TABLES = ("reviews_origin", "reviews_splits", "reviews_lengths")
