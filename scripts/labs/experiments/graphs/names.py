"""The graphs of Lab 0."""

IDS, MASK, LABELS = "ids", "mask", "labels"
REMOVED, TRAINING = "removed", "training"
