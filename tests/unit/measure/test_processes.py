"""Fresh processes share no state, and timing jobs run one at a time."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from labs.measure.fresh import SCRIPTS
from labs.measure.lock import alone
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.records.names.timing import NEEDED
from labs.records.observations import Observations
from labs.records.rows import Measured
from labs.records.timing import Timing

HERE = Path(__file__).parent
AT_ONCE = QuietStart(longest=0)
IMPORTED = time.monotonic()
BLOCKS, SIZES = 6, [mebibytes * 2**20 for mebibytes in (16, 32, 128)]
"""So many at once are more than glibc would keep by itself, whatever was freed before."""


def observe_environment(process: int, seed: int = 0) -> Observations:
    seen = Observations(process)
    cache = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
    seen.fact("hash seed", os.environ["PYTHONHASHSEED"], "text", "any")
    seen.fact("environment bytes", len(os.environ["ENVIRONMENT_PADDING"]), "bytes", "any")
    seen.fact("threads", torch.get_num_threads(), "count", "any")
    seen.fact("cached files", len(list(cache.glob("*"))), "count", "any")
    seen.fact("process id", os.getpid(), "count", "any")
    (cache / "left behind").parent.mkdir(parents=True, exist_ok=True)
    (cache / "left behind").touch()
    return seen


def observe_cache(process: int, cold: bool, seed: int = 0) -> Observations:
    """Observe what earlier processes left in the compiler cache, and add to it."""
    seen = Observations(process)
    cache = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
    cache.mkdir(exist_ok=True)
    seen.fact("found", " ".join(sorted(file.name for file in cache.iterdir())), "text", str(cold))
    (cache / str(process)).touch()
    return seen


def observe_two_cases(process: int, converged: list[dict[str, int]], seed: int = 0) -> Observations:
    """Observe a case whose ratio is the same in every process, and one where it is not."""
    seen = Observations(process)
    for length, fused in ((512, 1.0), (64, 1.0 + process % 2)):
        if {"length": length} not in converged:
            for arm, seconds in (("naive", 1.0), ("fused", fused)):
                seen.timing(arm, Timing(1, [seconds], [seconds]), length=length)
    return seen


def observe_faults(process: int, seed: int = 0) -> Observations:
    """Observe how many pages of what is freed and taken again have to be faulted in."""
    seen = Observations(process)

    def faults(block: int) -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        blocks = [torch.zeros(block, dtype=torch.uint8) for _ in range(BLOCKS)]
        del blocks
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    for block in SIZES:
        # What is freed is in pieces at first: until six blocks fit, some are of new memory.
        seen.fact("faults", [faults(block) for _ in range(10)][-1], "count", str(block))
    return seen


def observe_time(process: int, seed: int = 0) -> Observations:
    """Observe when this module was imported, and when the function began and ended, in s."""
    seen, began = Observations(process), time.monotonic()
    time.sleep(0.05)
    for name, when in (("imported", IMPORTED), ("began", began), ("ended", time.monotonic())):
        seen.fact(name, when, "s", "any")
    return seen


def fail(process: int, seed: int = 0) -> Observations:
    raise ArithmeticError("the last words of a worker")


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers import this module by its name."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    workers = (observe_environment, observe_cache, observe_two_cases, observe_faults, observe_time)
    for function in (*workers, fail):
        monkeypatch.setattr(function, "__module__", Path(__file__).stem)


def repeated(observe: Callable[..., Observations], stages: Stages, **options: Any) -> Measured:
    given: dict[str, Any] = {"threads": 1, "seed": 7, "quiet": AT_ONCE} | options
    return repeat("test", observe, {}, stages=stages, **given)


def test_processes_differ_in_hash_seed_environment_and_cache() -> None:
    rows, loads = repeated(observe_environment, Stages(2, 0))
    facts = [{row["name"]: row["value"] for row in process["facts"]} for process in rows]
    for name in ("hash seed", "environment bytes", "process id"):
        assert facts[0][name] != facts[1][name], name
    assert [fact["cached files"] for fact in facts] == [0, 0]
    assert [fact["threads"] for fact in facts] == [1, 1]
    numbers = [row["process"] for process in rows for row in process["facts"]]
    assert numbers == [0] * 5 + [1] * 6  # of which the last says how many were needed
    assert all("load_1min" in load[when] for load in loads for when in ("before", "after"))


def test_half_of_the_processes_compile_and_the_others_take_what_they_left() -> None:
    rows, loads = repeated(observe_cache, Stages(4, 0), compiles=True)
    found = [(process["facts"][0]["arm"], process["facts"][0]["value"]) for process in rows]
    assert found == [("True", ""), ("True", ""), ("False", "0"), ("False", "1")]
    assert [(load["process"], load["cache"]) for load in loads] == [(0, 0), (1, 1), (2, 0), (3, 1)]


def test_while_the_budget_lasts_more_processes_time_the_cases_that_differ_between_them() -> None:
    rows, _ = repeated(observe_two_cases, Stages(2, 0.1), narrows=True)
    lengths = [{row["case"]["length"] for row in process["samples"]} for process in rows]
    assert lengths == [{512, 64}, {512, 64}, {64}]
    needed = [fact["value"] for fact in rows[-1]["facts"] if fact["name"] == NEEDED]
    assert max(needed) > 3


def test_a_process_keeps_the_memory_that_it_frees() -> None:
    rows, _ = repeated(observe_faults, Stages(1, 0))
    faults = {fact["arm"]: fact["value"] for fact in rows[0]["facts"] if fact["name"] == "faults"}
    for block in SIZES:
        pages = BLOCKS * block / resource.getpagesize()
        assert faults[str(block)] < 0.01 * pages


def test_a_failing_process_fails_the_job_with_its_error() -> None:
    with pytest.raises(RuntimeError, match="the last words of a worker"):
        repeated(fail, Stages(1, 0))


def test_processes_import_side_by_side_and_run_one_after_the_other() -> None:
    rows, _ = repeated(observe_time, Stages(2, None), threads=3)
    imported, began, ended = zip(
        *([fact["value"] for fact in process["facts"][:3]] for process in rows), strict=True
    )
    assert max(imported) < min(began)
    assert list(began) == sorted([*began, *ended])[::2]


def test_a_second_timing_job_waits_for_the_first(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    holder = (
        "import sys, time; from pathlib import Path; from labs.measure.lock import alone\n"
        "with alone(Path(sys.argv[1])):\n"
        "    print('held', flush=True); time.sleep(1); print(time.monotonic())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(lock)],
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with alone(lock):
            begun = time.monotonic()
        assert float(other.stdout.readline()) <= begun
