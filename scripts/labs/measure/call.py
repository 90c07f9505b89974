"""What is measured: a call. It has a file of its own, so that not all that measures has a clock."""

from __future__ import annotations

from collections.abc import Callable

Call = Callable[[], object]
