"""The program of a fresh process: ``python -m labs.measure.worker TASK RESULT``."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path


def main(task_text: str, result: str) -> None:
    """Set the threads, run the task's function and write its observations as JSON, and how long the
    threads took to meet before and after it.
    """
    import torch

    from labs.measure.meeting import meeting_seconds

    task = json.loads(task_text)
    threads = task["threads"]
    torch.set_num_threads(threads)
    meetings = [meeting_seconds(threads)]
    function = getattr(importlib.import_module(task["module"]), task["function"])
    observations = function(**task["arguments"])
    meetings.append(meeting_seconds(threads))
    Path(result).write_text(json.dumps({"rows": observations.rows(), "meetings": meetings}))


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The result is on disk, and an orderly shutdown of torch would take a second or two.
    os._exit(0)
