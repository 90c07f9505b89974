"""The rows a record is made of: samples, facts, checks and profiler lines."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
KINDS = ("samples", "facts", "checks", "profiles")
