"""Programs as a user runs them, in the root of the repository."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs.records.reading import read

ROOT = Path(__file__).parents[2]


def run(program: str, *words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with what it printed; variables of the environment may be set."""
    return subprocess.run(
        [sys.executable, f"scripts/{program}", *map(str, words)],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )


def start(program: str, *words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, f"scripts/{program}", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    said = process.communicate()[0]
    assert process.returncode == 0, said
    return said


def kill(process: subprocess.Popen[str], reached: Callable[[], object]) -> None:
    """Kill a program once it has got so far, and before its end."""
    while not reached() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    assert process.wait() < 0, "it ended before it was killed"


def facts(record: Path) -> list[dict[str, Any]]:
    """What a record says, but for times."""
    return [fact for fact in read(record)["facts"] if fact["unit"] != "s"]


def evaluations(folder: Path) -> dict[Path, int]:
    """The evaluations of searches, each with the time at which it was written."""
    found = (folder / "studies" / "evaluations").glob("*.json")
    return {path: path.stat().st_mtime_ns for path in found}
