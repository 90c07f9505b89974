"""The training loops that are compared."""

OWN, TRAINER, TRAINER_GROUPED = "own loop", "Trainer", "Trainer, grouped by length"

TABLES = ("loops_time",)
FIGURES = ("loops_time",)
