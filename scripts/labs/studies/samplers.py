"""The samplers: what each proposes next, decided by its seed and the number of trials before.

Optuna's samplers draw from a generator that a restart begins anew, so that a resumed study would
propose its first trials again. Here each trial has a generator of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import optuna
from optuna.distributions import CategoricalDistribution
from optuna.trial import FrozenTrial

from labs.records.names.studies import ALL_SAMPLERS, GRID, NSGA2, TPE, Space

Parameters = Mapping[str, str]

LEAST_STARTUP = {NSGA2: 2}
"""Of the samplers that need more than one trial drawn at random: a child has two parents."""


@dataclass(frozen=True)
class Sampler:
    """A sampler of a space: its name, its seed, and how many trials are drawn at random first.

    Those are the startup of TPE, and the first population of NSGA-II. Raises SystemExit, with one
    line, for a sampler that there is not, for a startup too small, and for an empty space.
    """

    name: str
    space: Space
    seed: int
    startup: int

    def __post_init__(self) -> None:
        if self.name not in ALL_SAMPLERS:
            names = ", ".join(ALL_SAMPLERS)
            raise SystemExit(f"error: {self.name} is no sampler; allowed: {names}")
        least = LEAST_STARTUP.get(self.name, 1)
        if self.startup < least:
            raise SystemExit(
                f"error: the startup of {self.name} is {self.startup}; allowed: {least} or more"
            )
        if not self.cells:
            raise SystemExit(f"error: a parameter without choices: {dict(self.space)}")

    @property
    def cells(self) -> int:
        """How many different trials the space has."""
        return math.prod(map(len, self.space.values()))

    def ask(self, study: optuna.Study, taken: Sequence[Parameters]) -> optuna.Trial:
        """Return the study's next trial, with its parameters; ``taken`` are those before it."""
        if self.name == GRID:
            study.enqueue_trial(self._next_cell(taken))
        return self.take(study, len(taken))

    def take(self, study: optuna.Study, before: int) -> optuna.Trial:
        """Return the study's next trial: the one that waits, or else one that is drawn.

        ``before`` is the number of trials before it.
        """
        study.sampler = drawing = self._drawing(before)
        trial = study.ask(
            {name: CategoricalDistribution(list(c)) for name, c in self.space.items()}
        )
        if isinstance(drawing, _NSGAII):
            # Optuna forgets it for a trial that has waited, which then has no children.
            drawing.get_trial_generation(study, study.get_trials(deepcopy=False)[trial.number])
        return trial

    def _drawing(self, before: int) -> optuna.samplers.BaseSampler:
        seed = int(self._generator(before).integers(2**31))
        if self.name == TPE:
            return optuna.samplers.TPESampler(
                n_startup_trials=self.startup, multivariate=True, constant_liar=True, seed=seed
            )
        if self.name == NSGA2:
            return _NSGAII(population_size=self.startup, seed=seed)
        return optuna.samplers.RandomSampler(seed=seed)

    def _next_cell(self, taken: Sequence[Parameters]) -> dict[str, str]:
        """Return the first cell of the grid not taken, in an order that the seed decides."""
        cells = {tuple(cell[name] for name in self.space) for cell in taken}
        shape = [len(choices) for choices in self.space.values()]
        for place in self._generator().permutation(self.cells):
            numbers = np.unravel_index(place, shape)
            cell = {
                name: choices[int(number)]
                for (name, choices), number in zip(self.space.items(), numbers, strict=True)
            }
            if tuple(cell.values()) not in cells:
                return cell
        raise SystemExit(f"error: all {self.cells} cells of the grid are taken")

    def _generator(self, *place: int) -> np.random.Generator:
        """Return a generator that no other sampler and no other trial has."""
        return np.random.default_rng([self.seed, ALL_SAMPLERS.index(self.name), *place])


class _NSGAII(optuna.samplers.NSGAIISampler):
    """NSGA-II with its parents in the order of their trials.

    Optuna's first child of a generation sees them by rank, its siblings and a restart by trial.
    """

    def select_parent(self, study: optuna.Study, generation: int) -> list[FrozenTrial]:
        return sorted(super().select_parent(study, generation), key=lambda trial: trial.number)
