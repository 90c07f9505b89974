"""A study: trials that are claimed, evaluated and told, until there are as many as were asked for.

A killed study goes on where it was. What it left running is closed and tried again with the same
parameters, and the sampler is as it would have been: one worker on a CPU ends with the trials of a
study that nobody killed.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import optuna
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from labs.records.names.studies import GRID
from labs.studies.disk import writing
from labs.studies.journal import Journal
from labs.studies.samplers import Sampler

MOST_FAILURES = 3
"""So many failures in a row stop a study: the next trial would fail as well."""

MOST_SPOKEN = 6
"""So many parameters of a trial are named in its line of progress."""

WAIT_SECONDS = 0.2
"""How often a worker looks whether the trials that others run are done."""

WORKER, REASON, SECONDS, ASKING, RERUNS = "worker", "reason", "seconds", "asking", "reruns"

Evaluate = Callable[[Mapping[str, str]], float | Sequence[float]]
"""Returns one value for each direction of the journal."""


@dataclass(frozen=True)
class Trial:
    """A finished trial: its parameters and its values, or the reason for which it has none.

    ``seconds`` is what evaluating it took, ``asking`` what proposing it took.
    """

    parameters: Mapping[str, str]
    values: Sequence[float]
    reason: str
    seconds: float
    asking: float

    @property
    def value(self) -> float | None:
        """The first value; None if there is none."""
        return self.values[0] if self.values else None


def run(sampler: Sampler, journal: Journal, wanted: int, evaluate: Evaluate) -> list[Trial]:
    """Return the first ``wanted`` trials of a study, after running those that it lacks.

    Several processes may run the same study; each returns when all its trials are done. A trial
    whose evaluation raises an exception has failed. Raises SystemExit, with one line, after
    MOST_FAILURES in a row, for a number of trials that cannot be, and when a disk is full.
    """
    _check(sampler, journal.study_name, wanted)
    with journal.reached():
        return _run(sampler, journal, wanted, evaluate)


def run_all(sampler: Sampler, journal: Journal, wanted: int, evaluate: Evaluate) -> list[Trial]:
    """Return the same trials, every one of which has a value.

    Raises SystemExit, with one line, when one of them failed as well.
    """
    trials = run(sampler, journal, wanted, evaluate)
    failed = [trial for trial in trials if trial.value is None]
    if failed:
        raise SystemExit(
            f"error: the trial {_spoken(failed[0].parameters)} of the study {journal.study_name} "
            f"failed: {failed[0].reason}; delete {journal.where} to try again"
        )
    return trials


def _check(sampler: Sampler, study: str, wanted: int) -> None:
    asked = f"error: {wanted} trials are asked of the study {study}"
    if wanted < 1:
        raise SystemExit(f"{asked}; allowed: 1 or more")
    if sampler.name == GRID and wanted > sampler.cells:
        raise SystemExit(f"{asked}, whose grid has {sampler.cells} cells")


def _run(sampler: Sampler, journal: Journal, wanted: int, evaluate: Evaluate) -> list[Trial]:
    study = journal.open()
    with journal.worker() as worker:
        progress = _Progress(journal.study_name, wanted)
        failures = 0
        while True:
            began = time.monotonic()
            with journal.claiming():
                trial = _claim(study, sampler, journal, wanted, worker)
                if trial:
                    trial.set_user_attr(ASKING, time.monotonic() - began)
            if trial:
                failed = _evaluate(study, trial, journal, evaluate)
                failures = failures + 1 if failed else 0
                progress.report(study, trial.number)
                if failures == MOST_FAILURES:
                    raise SystemExit(
                        f"error: {MOST_FAILURES} trials in a row of the study {journal.study_name} "
                        f"failed, the last one with: {failed}"
                    )
            elif len(_finished(study)) >= wanted:
                return [_trial(one) for one in _finished(study)[:wanted]]
            else:
                time.sleep(WAIT_SECONDS)


def _claim(
    study: optuna.Study, sampler: Sampler, journal: Journal, wanted: int, worker: str
) -> optuna.Trial | None:
    """Return the next trial, marked as this worker's; None if as many as wanted are claimed."""
    for trial in _in_state(study, TrialState.RUNNING):
        if not journal.is_alive(trial.user_attrs.get(WORKER, "")):
            study.tell(trial.number, state=TrialState.FAIL)
    claimed = _finished(study) + _in_state(study, TrialState.RUNNING)
    if len(claimed) >= wanted:
        return None
    lost = _lost(study, sampler)
    if lost:
        study.enqueue_trial(lost[0].params, user_attrs={RERUNS: lost[0].number})
    # A worker that was killed between enqueuing and taking leaves a trial that waits.
    if _in_state(study, TrialState.WAITING):
        found = sampler.take(study, len(claimed))
    else:
        found = sampler.ask(study, [trial.params for trial in claimed])
    found.set_user_attr(WORKER, worker)
    return found


def _evaluate(
    study: optuna.Study, trial: optuna.Trial, journal: Journal, evaluate: Evaluate
) -> str:
    """Evaluate a trial and tell the study; return the reason if it failed."""
    began = time.monotonic()
    reason = ""
    try:
        with writing(journal.path.parent):
            found = evaluate(trial.params)
        values = [found] if isinstance(found, int | float) else list(found)
        if not all(map(math.isfinite, values)):
            reason = f"its value is {', '.join(map(str, values))}"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    trial.set_user_attr(SECONDS, time.monotonic() - began)
    if reason:
        trial.set_user_attr(REASON, reason)
        study.tell(trial, state=TrialState.FAIL)
    else:
        study.tell(trial, values)
    return reason


def _finished(study: optuna.Study) -> list[FrozenTrial]:
    """Return the trials that have a value or a reason for which they have none, in their order."""
    return [
        trial
        for trial in study.get_trials(deepcopy=False)
        if trial.state == TrialState.COMPLETE
        or (trial.state == TrialState.FAIL and REASON in trial.user_attrs)
    ]


def _lost(study: optuna.Study, sampler: Sampler) -> list[FrozenTrial]:
    """Return the trials that were closed because their worker died, and not tried again yet.

    One that was killed before it had all its parameters was never claimed: it is proposed anew.
    """
    closed = [t for t in _in_state(study, TrialState.FAIL) if REASON not in t.user_attrs]
    claimed = [trial for trial in closed if trial.params.keys() == sampler.space.keys()]
    never = {trial.number for trial in closed} - {trial.number for trial in claimed}
    again = {
        trial.user_attrs.get(RERUNS)
        for trial in study.get_trials(deepcopy=False)
        if trial.number not in never
    }
    return [trial for trial in claimed if trial.number not in again]


def _in_state(study: optuna.Study, state: TrialState) -> list[FrozenTrial]:
    return study.get_trials(deepcopy=False, states=(state,))


def _trial(trial: FrozenTrial) -> Trial:
    attributes: dict[str, Any] = trial.user_attrs
    return Trial(
        trial.params,
        trial.values or (),
        attributes.get(REASON, ""),
        attributes[SECONDS],
        attributes[ASKING],
    )


class _Progress:
    """Says after every trial what the best one is so far, and how long the rest may take."""

    def __init__(self, study: str, wanted: int) -> None:
        self._study, self._wanted, self._seconds = study, wanted, list[float]()

    def report(self, study: optuna.Study, number: int) -> None:
        """Say a line about the trial that has just finished."""
        finished = _finished(study)
        trial = next(one for one in finished if one.number == number)
        self._seconds.append(trial.user_attrs[SECONDS])
        left = (self._wanted - len(finished)) * sum(self._seconds) / len(self._seconds)
        value = trial.user_attrs.get(REASON) or _written(trial.values)
        best = _best([one.values for one in finished], study.directions)
        print(
            f"[{self._study}] trial {len(finished)} of {self._wanted}: {value} "
            f"({_spoken(trial.params)}), best so far {best}, about {left:.0f} s to go",
            file=sys.stderr,
            flush=True,
        )


def _best(values: Sequence[Sequence[float] | None], directions: Sequence[StudyDirection]) -> str:
    """Return the best value of each direction."""
    known = [one for one in values if one is not None]
    if not known:
        return "none"
    best = {StudyDirection.MAXIMIZE: max, StudyDirection.MINIMIZE: min}
    columns = zip(directions, zip(*known, strict=True), strict=True)
    return _written([best[direction](column) for direction, column in columns])


def _written(values: Sequence[float]) -> str:
    return " and ".join(f"{value:.4f}" for value in values)


def _spoken(parameters: Mapping[str, Any]) -> str:
    """Return the choices in words; of many parameters only how many have which choice."""
    if len(parameters) <= MOST_SPOKEN:
        return ", ".join(f"{name} {choice}" for name, choice in parameters.items())
    counts = Counter(parameters.values())
    return ", ".join(f"{count} times {choice}" for choice, count in counts.most_common())
