"""Peak memory is what is held at once, not what is handed out in all."""

import torch

from labs.measure.memory import peak_bytes

MIB = 2**20


def test_the_peak_counts_what_lives_together() -> None:
    def together() -> torch.Tensor:
        first, second = torch.empty(MIB), torch.empty(MIB)
        return first + second

    def in_turn() -> None:
        for _ in range(3):
            torch.empty(MIB)

    assert peak_bytes(together, "cpu") == 3 * 4 * MIB
    assert peak_bytes(in_turn, "cpu") == 4 * MIB
