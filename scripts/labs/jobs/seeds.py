"""The seeds of an experiment's replicates."""

SEEDS_APART = 1000
"""Between the seeds of replicates: a training counts on from its seed with every epoch."""


def seed_of(seed: int, replicate: int) -> int:
    """Return the seed of a replicate; the first one has the run's own."""
    return seed + SEEDS_APART * replicate
