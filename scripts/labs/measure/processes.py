"""How many fresh processes a timing takes, and what each of them starts with."""

import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labs.measure.fresh import Fresh
from labs.measure.quiet import QuietStart
from labs.measure.stages import Need, needs
from labs.records.names.timing import EVERY_ARM, NEEDED
from labs.records.observations import Observations
from labs.records.rows import Measured, Rows

SIDE_BY_SIDE = 2
"""Processes that import at a time: one that waits for its turn keeps what it imported in memory."""


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
) -> Measured:
    """Run a function in fresh processes; return their rows, and the cache and load of each.

    Besides the arguments, the function receives its process number and its own seed. Each process
    starts with an empty compiler cache. If the function ``compiles``, only the first half of the
    first stage does; every later process takes the cache that one of these left, each in turn, from
    which it loads the same compiled code. The function receives whether it was ``cold``. If the
    function ``narrows``, it receives the cases that are ``converged``, whose spread asks for no
    more processes, and leaves them out. Cases that differ in the keys ``across`` are compared with
    each other. Before a process starts, others have some time to leave the cores alone, all
    processes together as long as ``quiet`` waits.
    """
    rng = random.Random(seed)
    rows: list[Rows] = []
    loads: list[dict[str, Any]] = []
    cold = stages.first // 2 if compiles else sys.maxsize
    needed, end = stages.first, math.inf
    needing: list[Need] = []
    with ExitStack() as stack:
        folders: list[Path] = []
        waiting: list[Fresh] = []

        def start(process: int) -> Fresh:
            if process < cold:
                folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
                folders.append(Path(stack.enter_context(folder)))
            cache = folders[process % len(folders)]
            fresh = Fresh(function, threads=threads, rng=rng, cache=cache)
            stack.callback(fresh.close)
            return fresh

        while len(rows) < needed and time.monotonic() < end:
            process = len(rows)
            if not waiting:
                # Imports are not timed, and each keeps one core busy.
                last = min(needed, process + min(threads, SIDE_BY_SIDE))
                waiting = [start(each) for each in range(process, last)]
                for each in waiting:
                    each.wait_for_imports()
            own: dict[str, Any] = {"process": process, "seed": rng.randrange(2**32)}
            if compiles:
                own["cold"] = process < cold
            if narrows:
                own["converged"] = [need.case for need in needing if need.processes <= process]
            others = quiet.wait()
            print(f"[{what}] process {process + 1} of {needed}", file=sys.stderr, flush=True)
            done = waiting.pop(0).run({**arguments, **own})
            rows.append(done["rows"])
            loads.append(
                {"process": process, "cache": process % len(folders), **others, **done["load"]}
            )
            if len(rows) == stages.first and stages.budget is not None:
                needing = needs(rows, across)
                needed = max([needed, *(need.processes for need in needing)])
                end = time.monotonic() + stages.budget
    last_one = Observations(len(rows) - 1)
    last_one.fact(NEEDED, needed, "count", EVERY_ARM)
    rows[-1]["facts"] += last_one.rows["facts"]
    return rows, loads
