"""The words of every study: its space, and the samplers that search it."""

from collections.abc import Mapping, Sequence

Space = Mapping[str, Sequence[str]]
"""The choices of each parameter."""

GRID, RANDOM, TPE, NSGA2 = "grid", "random", "tpe", "nsga2"
ALL_SAMPLERS = (GRID, RANDOM, TPE, NSGA2)
"""A sampler's place decides its random numbers."""
