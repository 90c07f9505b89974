"""The training loops that are compared."""

from __future__ import annotations

OWN, TRAINER, TRAINER_GROUPED = "own loop", "Trainer", "Trainer, grouped by length"
