"""The samplers: what each proposes next, decided by its seed and the number of trials before.

Optuna's samplers draw from a generator that a restart begins anew, so that a resumed study would
propose its first trials again. Here each trial has a generator of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import optuna
from optuna.distributions import CategoricalDistribution

from labs.records.names.studies import ALL_SAMPLERS, GRID, NSGA2, RANDOM, Space

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

    def ask(self, study: optuna.Study, taken: Sequence[Parameters]) -> optuna.Trial:
        """Return the study's next trial, with its parameters; ``taken`` are those before it."""
        if self.name == GRID:
            study.enqueue_trial(self._next_cell(taken))
        else:
            study.sampler = self._drawing(len(taken))
        return self.take(study)

    def take(self, study: optuna.Study) -> optuna.Trial:
        """Return the study's next trial: the one that waits, or else one that is drawn."""
        return study.ask({name: CategoricalDistribution(list(c)) for name, c in self.space.items()})

    def _drawing(self, before: int) -> optuna.samplers.BaseSampler:
        seed = int(self._generator(before).integers(2**31))
        if self.name == RANDOM:
            return optuna.samplers.RandomSampler(seed=seed)
        if self.name == NSGA2:
            return optuna.samplers.NSGAIISampler(population_size=self.startup, seed=seed)
        return optuna.samplers.TPESampler(
            n_startup_trials=self.startup, multivariate=True, constant_liar=True, seed=seed
        )

    def _next_cell(self, taken: Sequence[Parameters]) -> dict[str, str]:
        """Return the first cell of the grid not taken, in an order that the seed decides."""
        shape = [len(choices) for choices in self.space.values()]
        for place in self._generator().permutation(int(np.prod(shape))):
            numbers = np.unravel_index(place, shape)
            cell = {
                name: choices[int(number)]
                for (name, choices), number in zip(self.space.items(), numbers, strict=True)
            }
            if cell not in taken:
                return cell
        raise SystemExit(f"error: all {np.prod(shape)} cells of the grid are taken")

    def _generator(self, *place: int) -> np.random.Generator:
        """Return a generator that no other sampler and no other trial has."""
        return np.random.default_rng([self.seed, ALL_SAMPLERS.index(self.name), *place])
