"""Evaluations, kept by what decides them, so that no study repeats what another has done."""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from labs.files import write_text
from labs.studies.disk import writing

Evaluation = dict[str, Any]

EVALUATION = "evaluation"


class Evaluations:
    """A folder with a JSON file for each evaluation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, decided_by: Mapping[str, Any], evaluate: Callable[[], Evaluation]) -> Evaluation:
        """Return the evaluation that these settings decide; it is made if there is none yet.

        Raises SystemExit, with one line, when a disk is full.
        """
        path = self._folder / f"{key(decided_by)}.json"
        found = _read(path)
        if found is None:
            with writing(self._folder):
                found = evaluate()
                kept = {"decided by": dict(decided_by), EVALUATION: found}
                write_text(path, json.dumps(kept) + "\n")
        return found


def key(decided_by: Mapping[str, Any]) -> str:
    """Return the name under which an evaluation is kept."""
    return hashlib.sha256(json.dumps(decided_by, sort_keys=True).encode()).hexdigest()[:32]


def _read(path: Path) -> Evaluation | None:
    """Return an evaluation that is kept; None if there is nothing, or nothing whole."""
    try:
        evaluation: Evaluation = json.loads(path.read_text(encoding="utf-8"))[EVALUATION]
        return evaluation
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, LookupError):
        print(f"{path} holds no evaluation: it is made anew", file=sys.stderr)
        return None
