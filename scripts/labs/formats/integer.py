"""Fixed-point numbers: integer multiples of a power of two (the lab's "integer")."""

from dataclasses import dataclass, field

import torch

from labs.formats.grid import common_end
from labs.formats.quantizer import FixedWidth, whole


@dataclass(frozen=True)
class Integer(FixedWidth):
    """Two's complement with ``width`` bits, ``frac_width`` of them fractional; saturates.

    Both modes compute the same.
    """

    frac_width: int = field(metadata=whole(-64, 64))

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return round(x 2^f) / 2^f, saturated; ties to even."""
        step = 2.0**-self.frac_width
        least, most = (
            common_end(steps * step, self.width - 1, step, x.dtype) / step
            for steps in (2.0 ** (self.width - 1), 2.0 ** (self.width - 1) - 1)
        )
        # 16-bit formats may not hold x 2^f.
        wide = x.float() if x.element_size() < 4 else x
        # In place after the first product: a new tensor per step costs more than the step.
        scaled = wide * (1 / step)
        return scaled.round_().clamp_(-least, most).mul_(step).to(x.dtype)
