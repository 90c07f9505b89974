"""The base model's only arm."""

from __future__ import annotations

ARM = "BERT-tiny"
