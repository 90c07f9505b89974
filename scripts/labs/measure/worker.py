"""The program of a fresh process: ``python -m labs.measure.worker TASK RESULT``."""

import importlib
import json
import os
import sys
from pathlib import Path


def main(task_text: str, result: str) -> None:
    """Set the threads, run the task's function and write the rows that it observed as JSON."""
    import torch

    task = json.loads(task_text)
    torch.set_num_threads(task["threads"])
    function = getattr(importlib.import_module(task["module"]), task["function"])
    observations = function(**task["arguments"])
    Path(result).write_text(json.dumps(observations.rows()))


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The result is on disk, and an orderly shutdown of torch would take a second or two.
    os._exit(0)
