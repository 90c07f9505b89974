"""The words of every study: its space, the samplers that search it, and learning rates."""

from collections.abc import Mapping, Sequence

Space = Mapping[str, Sequence[str]]
"""The choices of each parameter."""

GRID, RANDOM, TPE, NSGA2 = "grid", "random", "tpe", "nsga2"
ALL_SAMPLERS = (GRID, RANDOM, TPE, NSGA2)
"""A sampler's place decides its random numbers."""

RATES, CHOSEN_RATE = "rates", "chosen rate"
"""The arm of trainings that compare learning rates, and the fact that one was chosen."""
