"""The graphs of Lab 0."""

from __future__ import annotations

IDS, MASK, LABELS = "ids", "mask", "labels"
REMOVED, TRAINING = "removed", "training"
