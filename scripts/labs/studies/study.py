"""A study: trials that are proposed, evaluated and reported to their sampler, one by one.

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
    seconds: list[float] = []
    for _ in range(wanted):
        began = time.monotonic()
        trial = sampler.ask(study)
        proposed = time.monotonic()
        values = evaluate(trial.params)
        if not all(map(math.isfinite, values)):
            raise SystemExit(
                f"error: a trial of the study {name} ({_spoken(trial.params)}) has the value "
                f"{_written(values)}"
            )
        study.tell(trial, values)
        trials.append(Trial(trial.params, values, proposed - began))
        seconds.append(time.monotonic() - proposed)
        to_go = (wanted - len(trials)) * _mean_of_trainings(seconds)
        print(
            f"[{name}] trial {len(trials)} of {wanted}: {_written(values)} "
            f"({_spoken(trial.params)}), best so far {_written(_best(trials, directions))}, "
            f"about {to_go:.0f} s to go",
            file=sys.stderr,
            flush=True,
        )
    return trials


def _mean_of_trainings(seconds: Sequence[float]) -> float:
    """Return the mean time of the evaluations that were not read back; 0 if all were."""
    trained = [each for each in seconds if each > READ_BACK_SECONDS]
    return sum(trained) / max(len(trained), 1)


def _best(trials: Sequence[Trial], directions: Sequence[StudyDirection]) -> list[float]:
    """Return the best of each value of the trials."""
    columns = zip(*(trial.values for trial in trials), strict=True)
    return [
        max(column) if direction == StudyDirection.MAXIMIZE else min(column)
        for direction, column in zip(directions, columns, strict=True)
    ]


def _written(values: Sequence[float]) -> str:
    return " and ".join(f"{value:.4f}" for value in values)


def _spoken(parameters: Mapping[str, str]) -> str:
    """Return the choices in words; of many parameters only how many have which choice."""
    if len(parameters) <= MOST_SPOKEN:
        return ", ".join(f"{name} {choice}" for name, choice in parameters.items())
    counts = Counter(parameters.values())
    return ", ".join(f"{count} times {choice}" for choice, count in counts.most_common())
