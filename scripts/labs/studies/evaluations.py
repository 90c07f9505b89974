"""Evaluations, kept by what decides them, so that no study repeats what another has done.

A preset is none of it: all share one folder. Of two jobs that make the same evaluation at once,
each writes a whole file, with equal answers. Those that failed are kept as well: a study that
begins again ends where it ended before.
"""

import hashlib
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from labs.files import write_text
from labs.studies.disk import writing

Evaluation = dict[str, Any]

EVALUATION, FAILED = "evaluation", "failed"

used: set[str] = set()
"""The names of the evaluations that this process has read or made, which its record keeps."""


class Evaluations:
    """A folder with a JSON file for each evaluation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, decided_by: Mapping[str, Any], evaluate: Callable[[], Evaluation]) -> Evaluation:
        """Return the evaluation that these settings decide; it is made if there is none yet.

        Raises SystemExit, with one line, for one that failed, and when a disk is full.
        """
        name = key(decided_by)
        used.add(name)
        path = self._folder / f"{name}.json"
        kept = _read(path)
        if kept is None:
            with writing(self._folder):
                kept = _made(evaluate)
                write_text(path, json.dumps({"decided by": dict(decided_by), **kept}) + "\n")
        if FAILED in kept:
            raise SystemExit(
                f"error: an evaluation failed: {kept[FAILED]}; {path} says of what: "
                "delete it to try again"
            )
        evaluation: Evaluation = kept[EVALUATION]
        return evaluation


def key(decided_by: Mapping[str, Any]) -> str:
    """Return the name under which an evaluation is kept."""
    return hashlib.sha256(json.dumps(decided_by, sort_keys=True).encode()).hexdigest()[:32]


def _made(evaluate: Callable[[], Evaluation]) -> dict[str, Any]:
    """Return a new evaluation, or why it failed, as it is kept."""
    try:
        return {EVALUATION: evaluate()}
    except (OSError, MemoryError):
        # Of this machine: it says nothing about what was evaluated.
        raise
    except Exception as error:
        # A lack of memory has several types in torch.
        if "memory" in str(error):
            raise
        traceback.print_exc()
        return {FAILED: f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}


def _read(path: Path) -> dict[str, Any] | None:
    """Return what is kept of an evaluation; None if there is nothing, or nothing whole."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        kept = None
    if isinstance(kept, dict) and (EVALUATION in kept or FAILED in kept):
        return kept
    print(f"{path} holds no evaluation: it is made anew", file=sys.stderr)
    return None
