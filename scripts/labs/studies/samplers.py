"""The samplers: what each proposes is decided by its seed, and by the trials and values before."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import optuna
from optuna.distributions import CategoricalDistribution
from optuna.study import StudyDirection

from labs.records.names.studies import ALL_SAMPLERS, GRID, NSGA2, TPE, Space

Parameters = Mapping[str, str]


@dataclass(frozen=True)
class Sampler:
    """A sampler of a space: its name, its seed, and how many trials are drawn at random first.

    Those are the startup of TPE, and the first population of NSGA-II.
    """

    name: str
    space: Space
    seed: int
    startup: int

    @property
    def cells(self) -> int:
        """How many different trials the space has."""
        return math.prod(map(len, self.space.values()))

    def study(
        self, directions: Sequence[StudyDirection] = (StudyDirection.MAXIMIZE,)
    ) -> optuna.Study:
        """Return a study without trials, in memory, with a direction for each value of a trial."""
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(directions=directions, sampler=self._drawing())
        if self.name == GRID:
            for cell in self.grid():
                study.enqueue_trial(cell)
        return study

    def ask(self, study: optuna.Study) -> optuna.Trial:
        """Return the next trial of a study of this sampler, with its parameters."""
        return study.ask({name: CategoricalDistribution(list(c)) for name, c in self.space.items()})

    def grid(self) -> list[dict[str, str]]:
        """Return every cell of the space, in an order that the seed decides."""
        cells = list(product(*self.space.values()))
        return [
            dict(zip(self.space, cells[place], strict=True))
            for place in self._generator().permutation(self.cells)
        ]

    def _drawing(self) -> optuna.samplers.BaseSampler:
        seed = int(self._generator().integers(2**31))
        if self.name == TPE:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
                return optuna.samplers.TPESampler(
                    n_startup_trials=self.startup, multivariate=True, seed=seed
                )
        if self.name == NSGA2:
            return optuna.samplers.NSGAIISampler(population_size=self.startup, seed=seed)
        return optuna.samplers.RandomSampler(seed=seed)

    def _generator(self) -> np.random.Generator:
        """Return a generator that no other sampler has."""
        return np.random.default_rng([self.seed, ALL_SAMPLERS.index(self.name)])
