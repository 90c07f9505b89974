"""Fresh processes: each runs one function in a new interpreter with its own environment.

A process inherits nothing that could bias all samples the same way: its hash seed and the size of
its environment are random (Mytkowicz et al., ASPLOS'09), and its compiler cache is empty unless it
takes the one that an earlier process left.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labs.measure import worker
from labs.measure.environment import load
from labs.measure.quiet import QuietStart
from labs.measure.stages import Need, needs
from labs.records.names.timing import EVERY_ARM, NEEDED
from labs.records.rows import Row

SCRIPTS = Path(__file__).parents[2]
MOST_PADDING = 4096
KEEPS_FREED_MEMORY = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
}
"""Has glibc keep freed memory for the next call (mallopt(3)).

By default it returns a freed block to the kernel at once, or keeps it, by thresholds that grow with
the largest block freed so far; above 32 MiB, it depends on what else happens to be free. The order
of cases is random: in some processes a case would fault all its memory in at every call, in others
not.
"""


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
        **KEEPS_FREED_MEMORY,
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
            errors="replace",
        )
        if done.returncode != 0:
            raise RuntimeError(
                f"{function.__name__} ended with exit status {done.returncode}:\n"
                + "\n".join(done.stdout.splitlines()[-25:])
            )
        rows = json.loads(result.read_text())
    return {"rows": rows, "load": {"before": before, "after": load()}}


@dataclass(frozen=True)
class Stages:
    """How many processes there are: ``first``, then as many as the spread over these asks for
    (``labs.measure.stages``), as far as they start within ``budget`` seconds; None: no more.
    """

    first: int
    budget: float | None


def repeat(
    what: str,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    *,
    stages: Stages,
    threads: int,
    seed: int,
    quiet: QuietStart,
    compiles: bool = False,
    narrows: bool = False,
    across: Sequence[str] = (),
) -> tuple[list[dict[str, list[Row]]], list[Row]]:
    """Run a function in fresh processes; return their rows, and the cache and load of each.

    Besides the arguments, the function receives its process number and its own seed. Each process
    starts with an empty compiler cache. If the function ``compiles``, only the first half of the
    first stage does; every later process takes the cache that one of these left, each in turn, and
    the function receives whether it was ``cold``. What is compiled is the same then; it is only not
    compiled again. If the function ``narrows``, it receives the cases that are ``settled``, whose
    spread asks for no more processes, and leaves them out. Cases that differ in the keys ``across``
    are compared with each other. Before a process starts, others have some time to leave the cores
    alone, all processes together as long as ``quiet`` waits.
    """
    rng = random.Random(seed)
    rows: list[dict[str, list[Row]]] = []
    loads: list[Row] = []
    cold = stages.first // 2 if compiles else sys.maxsize
    needed, end = stages.first, math.inf
    needing: list[Need] = []
    with ExitStack() as caches:
        folders: list[Path] = []
        while len(rows) < needed and time.monotonic() < end:
            process = len(rows)
            own: dict[str, Any] = {"process": process, "seed": rng.randrange(2**32)}
            if compiles:
                own["cold"] = process < cold
            if narrows:
                own["settled"] = [need.case for need in needing if need.processes <= process]
            if process < cold:
                folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
                folders.append(Path(caches.enter_context(folder)))
            cache = process % len(folders)
            others = quiet.wait()
            print(f"[{what}] process {process + 1} of {needed}", file=sys.stderr, flush=True)
            done = run_fresh(
                function,
                {**arguments, **own},
                threads=threads,
                rng=rng,
                cache=folders[cache],
            )
            rows.append(done["rows"])
            loads.append({"process": process, "cache": cache, **others, **done["load"]})
            if len(rows) == stages.first and stages.budget is not None:
                needing = needs(rows, across)
                needed = max([needed, *(need.processes for need in needing)])
                end = time.monotonic() + stages.budget
    asked = {"name": NEEDED, "value": needed, "unit": "count", "arm": EVERY_ARM, "case": {}}
    rows[-1]["facts"].append({"process": len(rows) - 1, **asked})
    return rows, loads
