"""A study: trials that are proposed, evaluated and told, one after the other.

Nothing of it is kept but the evaluations (see evaluations.py). A study that was killed begins
again, finds those, and ends as one that nobody killed: its sampler proposes what it did before.
"""

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from optuna.study import StudyDirection

from labs.studies.samplers import Sampler

MOST_SPOKEN = 6
"""So many parameters of a trial are named in its line of progress."""

READ_BACK_SECONDS = 0.1
"""A trial that took less was read back, and says nothing about how long the others will take."""

Evaluate = Callable[[Mapping[str, str]], Sequence[float]]
"""Returns one value for each direction of the study."""


@dataclass(frozen=True)
class Trial:
    """A trial: its parameters and its values; ``asking`` is the seconds that proposing it took."""

    parameters: Mapping[str, str]
    values: Sequence[float]
    asking: float


def run(
    name: str,
    sampler: Sampler,
    wanted: int,
    evaluate: Evaluate,
    directions: Sequence[StudyDirection] = (StudyDirection.MAXIMIZE,),
) -> list[Trial]:
    """Return so many trials of a study.

    Raises SystemExit, with one line, for a value that is no finite number.
    """
    study = sampler.study(directions)
    trials: list[Trial] = []
    progress = _Progress(name, wanted, directions)
    for _ in range(wanted):
        began = time.monotonic()
        trial = sampler.ask(study)
        asked = time.monotonic()
        values = evaluate(trial.params)
        if not all(map(math.isfinite, values)):
            raise SystemExit(
                f"error: a trial of the study {name} ({_spoken(trial.params)}) has the value "
                f"{_written(values)}"
            )
        study.tell(trial, values)
        trials.append(Trial(trial.params, values, asked - began))
        progress.report(trials, time.monotonic() - asked)
    return trials


class _Progress:
    """Says after every trial what the best one is so far, and how long the rest may take."""

    def __init__(self, name: str, wanted: int, directions: Sequence[StudyDirection]) -> None:
        self._name, self._wanted, self._directions = name, wanted, directions
        self._seconds: list[float] = []

    def report(self, trials: Sequence[Trial], seconds: float) -> None:
        """Say a line about the last of these trials, whose evaluation took so long."""
        if seconds > READ_BACK_SECONDS:
            self._seconds.append(seconds)
        mean = sum(self._seconds) / max(len(self._seconds), 1)
        columns = zip(*(trial.values for trial in trials), strict=True)
        best = [
            max(column) if direction == StudyDirection.MAXIMIZE else min(column)
            for direction, column in zip(self._directions, columns, strict=True)
        ]
        print(
            f"[{self._name}] trial {len(trials)} of {self._wanted}: {_written(trials[-1].values)} "
            f"({_spoken(trials[-1].parameters)}), best so far {_written(best)}, "
            f"about {(self._wanted - len(trials)) * mean:.0f} s to go",
            file=sys.stderr,
            flush=True,
        )


def _written(values: Sequence[float]) -> str:
    return " and ".join(f"{value:.4f}" for value in values)


def _spoken(parameters: Mapping[str, str]) -> str:
    """Return the choices in words; of many parameters only how many have which choice."""
    if len(parameters) <= MOST_SPOKEN:
        return ", ".join(f"{name} {choice}" for name, choice in parameters.items())
    counts = Counter(parameters.values())
    return ", ".join(f"{count} times {choice}" for choice, count in counts.most_common())
