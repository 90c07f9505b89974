"""The one arm of the base model."""

from __future__ import annotations

ARM = "BERT-tiny"
