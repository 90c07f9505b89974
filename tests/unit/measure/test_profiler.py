"""The profiler tells what a call spends in some operators from the rest of it."""

import time

import torch

from labs.measure.profiler import profile_table, seconds_in

MATRIX = torch.ones(256, 256)


def product_and_pause() -> None:
    """A matrix product, and what no operator of torch does."""
    torch.mm(MATRIX, MATRIX)
    time.sleep(0.05)


def test_time_outside_of_operators_is_part_of_a_call() -> None:
    inside, whole = seconds_in(["aten::mm"], product_and_pause, "cpu")
    assert 0 < inside < 0.05 < whole


def test_operators_are_listed_with_the_longest_first() -> None:
    rows = profile_table(product_and_pause, 3, "cpu")
    assert rows[0]["operator"] == "aten::mm"
    assert rows[0]["calls"] == 3
    assert rows == sorted(rows, key=lambda row: -row["seconds"])
