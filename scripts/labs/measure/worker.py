"""The program of a fresh process: ``python -m labs.measure.worker MODULE FUNCTION THREADS PIPE``.

It closes the pipe when it has imported the function's module.  Then it reads from its standard
input what to call the function with, and which file to write.
"""

import importlib
import json
import os
import sys
from pathlib import Path


def main(module: str, function: str, threads: str, pipe: str) -> None:
    """Set the threads, run the function and write the rows that it observed as JSON."""
    import torch

    torch.set_num_threads(int(threads))
    observe = getattr(importlib.import_module(module), function)
    os.close(int(pipe))
    task = json.load(sys.stdin)
    observations = observe(**task["arguments"])
    Path(task["result"]).write_text(json.dumps(observations.rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The result is on disk, and an orderly shutdown of torch would take a second or two.
    os._exit(0)
