"""Every statement that could be wrong: predicates on records, each with a verdict."""

from labs.claims.judge import judge

__all__ = ["judge"]
