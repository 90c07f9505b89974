"""This run against the one that was accepted: what is kept of a run, and what differs in two."""


class ComparisonError(ValueError):
    """Two runs cannot be compared; the message names what is missing and the remedy."""
