"""The program of a fresh process: ``python -m labs.measure.worker TASK RESULT``."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

FREED_AT_ONCE = 31 * 2**20
"""Bytes; glibc takes no block above 32 MiB into account."""


def main(task_text: str, result: str) -> None:
    """Set the threads, run the task's function and write its observations as JSON."""
    import torch

    task = json.loads(task_text)
    torch.set_num_threads(task["threads"])
    settle_allocator()
    function = getattr(importlib.import_module(task["module"]), task["function"])
    observations = function(**task["arguments"])
    Path(result).write_text(json.dumps(observations.rows()))


def settle_allocator() -> None:
    """Have glibc keep freed memory from now on, as it does once a block of this size was freed.

    It returns freed memory to the kernel at once, or keeps it for the next call, by thresholds that
    grow with the largest block freed so far (mallopt(3), M_MMAP_THRESHOLD). The order of cases is
    random: in some processes a case would fault all its memory in at every call, in others not.
    """
    import torch

    torch.empty(FREED_AT_ONCE, dtype=torch.uint8)


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The result is on disk, and an orderly shutdown of torch would take a second or two.
    os._exit(0)
