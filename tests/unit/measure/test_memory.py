"""Peak memory is what is allocated at once, not in total."""

import torch

from labs.measure.memory import peak_bytes

MIB = 2**20


def test_the_peak_counts_what_is_allocated_at_once() -> None:
    def together() -> torch.Tensor:
        first, second = torch.empty(MIB), torch.empty(MIB)
        return first + second

    def in_turn() -> None:
        for _ in range(3):
            torch.empty(MIB)

    assert peak_bytes(together, "cpu") == 3 * 4 * MIB
    assert peak_bytes(in_turn, "cpu") == 4 * MIB
