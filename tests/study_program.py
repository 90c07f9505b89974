"""A study through the real engine, as a program of its own; its evaluations cost only a wait."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path

from labs.records.names.studies import ALL_SAMPLERS, Space
from labs.studies.evaluations import Evaluations
from labs.studies.journal import MAXIMIZE, MINIMIZE, Direction, Journal
from labs.studies.samplers import Sampler
from labs.studies.study import Trial, run

EITHER = ["linear", "identity"]
SPACE: Space = {"layers": ["1", "2"], "width": ["x", "y", "z"], "query": EITHER, "key": EITHER}
CELLS = 24
DIRECTIONS: Mapping[int, tuple[Direction, ...]] = {1: (MAXIMIZE,), 2: (MAXIMIZE, MINIMIZE)}
STARTUP = 6


def value(parameters: Mapping[str, str]) -> float:
    """A value that parameters decide, in no simple order."""
    return sum(map(ord, "".join(parameters.values()))) * 37 % 101 / 101


def cost(parameters: Mapping[str, str]) -> float:
    """Another one."""
    return float(sum(map(len, parameters.values())))


def values(parameters: Mapping[str, str], number: int) -> list[float]:
    """One value for each of so many directions."""
    return [value(parameters), cost(parameters)][:number]


def journal(folder: Path, name: str, directions: int = 1, space: Space = SPACE) -> Journal:
    """The journal of a study in a folder."""
    return Journal(folder, name, {"space": space}, DIRECTIONS[directions])


def seen(trials: list[Trial]) -> list[list[object]]:
    """What counts of trials."""
    return [[dict(trial.parameters), list(trial.values)] for trial in trials]


def main() -> None:
    """Run the study, and print its trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sampler", choices=ALL_SAMPLERS)
    parser.add_argument("--directions", type=int, default=1)
    parser.add_argument("--wanted", type=int, default=CELLS)
    parser.add_argument("--seconds", type=float, default=0.0, help="what an evaluation takes")
    parser.add_argument("--space", type=json.loads, default=SPACE)
    given = parser.parse_args()
    evaluations = Evaluations(given.folder / "evaluations")

    def evaluate(parameters: Mapping[str, str]) -> list[float]:
        def slowly() -> dict[str, list[float]]:
            time.sleep(given.seconds)
            return {"values": values(parameters, given.directions)}

        found: list[float] = evaluations.get(parameters, slowly)["values"]
        return found

    sampler = Sampler(given.sampler, given.space, 3, STARTUP)
    study = journal(given.folder, given.sampler, given.directions, given.space)
    print(json.dumps(seen(run(sampler, study, given.wanted, evaluate))))


if __name__ == "__main__":
    main()
