"""Imports of large packages take less time while no garbage is collected."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage in this block, and count what it makes among the oldest objects.

    Imports make many objects that stay, and hardly any garbage.  CPython looks through all of them
    again and again, for a quarter of the time that it takes to import a model of transformers.
    """
    gc.disable()
    try:
        yield
    finally:
        # The oldest generation is where they would be by now: from then on nothing is different.
        gc.freeze()
        gc.unfreeze()
        gc.enable()
