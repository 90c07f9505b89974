"""Imports in a block that collects no garbage."""

import gc

import pytest

from labs.setup.imports import uncollected


def test_what_an_import_makes_is_counted_among_the_oldest_objects() -> None:
    made: list[list[int]] = []
    with uncollected():
        assert not gc.isenabled()
        made.append([])
    assert any(each is made[0] for each in gc.get_objects(generation=2))
    assert gc.isenabled()


def test_garbage_is_collected_again_after_an_import_that_failed() -> None:
    with pytest.raises(ImportError), uncollected():
        raise ImportError
    assert gc.isenabled()
