"""Fresh processes: each runs one function in a new interpreter with its own environment.

A process inherits nothing that could bias all samples the same way: its hash seed and the size of
its environment are random (Mytkowicz et al., ASPLOS'09), and its compiler cache is empty unless the
caller passes a warm one.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs.measure import worker
from labs.measure.environment import load
from labs.records.rows import Row

SCRIPTS = Path(__file__).parents[2]
MOST_PADDING = 4096


def run_fresh(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    *,
    threads: int,
    rng: random.Random,
    cache: Path,
) -> dict[str, Any]:
    """Run ``function(**arguments)`` in a new process; return its rows, and the load around it.

    The function is a module's, and its arguments and ``Observations`` are JSON-serialisable.
    ``cache`` is the folder of Inductor's and Triton's caches and of temporary files, where Inductor
    puts precompiled headers whatever its cache directory is.  Raises RuntimeError with the
    process's last output when it fails.
    """
    temporary = cache / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PYTHONPATH", "")]),
        "PYTHONHASHSEED": str(rng.randrange(2**32)),
        "ENVIRONMENT_PADDING": "x" * rng.randrange(MOST_PADDING),
        "TMPDIR": str(temporary),
        "TORCHINDUCTOR_CACHE_DIR": str(cache / "inductor"),
        "TRITON_CACHE_DIR": str(cache / "triton"),
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
    }
    task = {
        "module": function.__module__,
        "function": function.__qualname__,
        "threads": threads,
        "arguments": arguments,
    }
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        done = subprocess.run(
            [sys.executable, "-m", worker.__name__, json.dumps(task), str(result)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(
                f"{function.__name__} ended with exit status {done.returncode}:\n"
                + "\n".join(done.stdout.splitlines()[-25:])
            )
        observed: dict[str, Any] = json.loads(result.read_text())
    return {"rows": observed, "load": {"before": before, "after": load()}}


def repeat(
    what: str,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    *,
    processes: int,
    threads: int,
    seed: int,
) -> tuple[list[dict[str, list[Row]]], list[Row]]:
    """Run a function in ``processes`` fresh processes; return their rows, and the load around each.

    Besides the arguments, the function receives its process number and its own seed; each process
    starts with an empty compiler cache.
    """
    rng = random.Random(seed)
    progress = Progress(what, processes)
    rows, loads = [], []
    for process in range(processes):
        progress.step("all arms")
        own = {"process": process, "seed": rng.randrange(2**32)}
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            done = run_fresh(
                function, {**arguments, **own}, threads=threads, rng=rng, cache=Path(cache)
            )
        rows.append(done["rows"])
        loads.append({"process": process, **done["load"]})
    return rows, loads


class Progress:
    """Progress lines: the step that begins, and the time so far."""

    def __init__(self, what: str, steps: int) -> None:
        self.what, self.steps, self.done, self.start = what, steps, 0, time.monotonic()

    def step(self, name: str) -> None:
        """Print that the next step begins."""
        self.done += 1
        elapsed = time.monotonic() - self.start
        print(
            f"[{self.what}] process {self.done} of {self.steps}: {name}, {elapsed:.0f} s so far",
            file=sys.stderr,
            flush=True,
        )
