"""How much each parameter of a search matters for its best trials: PED-ANOVA.

Watanabe et al., "PED-ANOVA: Efficiently Quantifying Hyperparameter Importance in Arbitrary
Subspaces", 2023; here as Optuna has it, whose versions before 5 need every parameter in every
trial.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances
from optuna.trial import create_trial

from labs.records.names.studies import Space
from labs.studies.samplers import Parameters

LEAST_TRIALS = 100
"""The best tenth, which is held against all trials, is too few of fewer."""

SHUFFLES = 20

ABSENT = "absent"
"""The value of a parameter that a trial lacks."""


def importances(
    space: Space, trials: Sequence[Parameters], values: Sequence[float]
) -> dict[str, float]:
    """Return each parameter's share of what sets the best tenth of the trials apart.

    The largest values are the best. A trial may lack parameters of the space. The shares add up
    to 1, also where nothing matters: hold them against those of ``by_chance``.
    """
    filled = [{name: trial.get(name, ABSENT) for name in space} for trial in trials]
    # A choice that no trial has would seem to matter: the estimate of the fewer trials is wider.
    tried: dict[str, BaseDistribution] = {
        name: CategoricalDistribution(sorted({trial[name] for trial in filled})) for name in space
    }
    study = optuna.create_study(direction="maximize")
    for trial, value in zip(filled, values, strict=True):
        study.add_trial(create_trial(params=trial, distributions=tried, value=value))
    return get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())


def by_chance(
    space: Space, trials: Sequence[Parameters], values: Sequence[float], seed: int
) -> Mapping[str, float]:
    """Return the mean importances of the same trials with their values shuffled."""
    generator = np.random.default_rng(seed)
    shuffled = [
        importances(space, trials, generator.permutation(values).tolist()) for _ in range(SHUFFLES)
    ]
    return {name: float(np.mean([shares[name] for shares in shuffled])) for name in space}
