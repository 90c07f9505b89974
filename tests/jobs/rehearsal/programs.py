"""Run experiments, each in a process of its own that has imported what they need.

The arguments of each are a line of standard input, JSON; what it says is in its log.
"""

import importlib
import json
import os
import runpy
import sys
from functools import cache
from typing import Any

import torch._dynamo  # noqa: F401 - as every optimizer does

from labs.jobs import job, timing
from labs.measure import gpu
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.setup import discovery


def run(log: str, words: list[str]) -> None:
    """Run a program in a copy of this process."""
    if not (child := os.fork()):
        said = os.open(log, os.O_WRONLY | os.O_CREAT)
        for stream in (1, 2):
            os.dup2(said, stream)
        sys.argv = ["scripts/run_experiment.py", *words]
        status = 1
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
            status = 0
        except SystemExit as error:
            print(error, file=sys.stderr, flush=True)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.waitpid(child, 0)


def twice(*words: Any, **named: Any) -> Any:
    """Observe in two processes."""
    return repeat(*words, **{**named, "stages": Stages(2, None)})


if __name__ == "__main__":
    # What no program needs to import or find out again.
    for name in discovery.jobs():
        importlib.import_module(f"labs.experiments.{name.replace('/', '.')}.observe")
    gpu.apart = cache(gpu.apart)
    job.fault_of_torch = cache(job.fault_of_torch)
    assert not job.fault_of_torch() and gpu.apart(gpu.state) and gpu.apart(gpu.total_memory)
    timing.repeat = twice
    QuietStart.__init__.__defaults__ = (0.0,)
    for line in sys.stdin:
        run(*json.loads(line))
