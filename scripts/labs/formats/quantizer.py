"""What all number formats share: parameter checks and the straight-through estimator.

Rounding has no useful derivative, so its gradient is taken to be the identity (Bengio, Léonard &
Courville, 2013).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import torch

from labs.formats.names import MASE, NEAREST

Quantize = Callable[[torch.Tensor], torch.Tensor]


def whole(least: int, most: int) -> dict[str, tuple[int, int]]:
    """Return the metadata of a field that is a whole number within bounds."""
    return {"bounds": (least, most)}


# Among torch's dtypes only float64 has numbers beyond 2**±256.
EXPONENT_BIAS = whole(-256, 256)
EXPONENT_WIDTH, SHARED_WIDTH = whole(1, 8), whole(1, 16)


@dataclass(frozen=True)
class Quantizer(ABC):
    """A number format: calling it on a tensor rounds the tensor to the format's values.

    Raises ValueError, naming the field, for a value that is not allowed.
    """

    mode: str = field(default=NEAREST, kw_only=True)

    def __post_init__(self) -> None:
        if self.mode not in (NEAREST, MASE):
            raise ValueError(f"mode is {self.mode!r}; allowed: {NEAREST!r} or {MASE!r}")
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            # A field whose default is None may be None.
            if "bounds" in parameter.metadata and not (value is parameter.default is None):
                check_whole(parameter.name, value, *parameter.metadata["bounds"])

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """Return the quantized tensor, of x's shape and dtype; its gradient is the identity."""
        quantized: torch.Tensor = StraightThrough.apply(x, self.quantize)
        return quantized

    @abstractmethod
    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the quantized values as a new tensor."""

    @abstractmethod
    def bits(self, shape: Sequence[int]) -> float:
        """Return the mean bits per value of a tensor of this shape, shared bits included."""


@dataclass(frozen=True)
class FixedWidth(Quantizer):
    """A format in which each value takes ``width`` bits, and none is shared."""

    width: int = field(metadata=whole(2, 32))

    def bits(self, shape: Sequence[int]) -> float:
        return self.width


class StraightThrough(torch.autograd.Function):
    """Applies a function to a tensor, with the identity as its gradient."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, quantize: Quantize) -> torch.Tensor:
        return quantize(x)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return gradients[0], None


def keep_nan(x: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return the values, but NaN where x is NaN."""
    return torch.where(x.isnan(), x, values)


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Raise ValueError, naming the parameter, unless it is a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} is {value!r}; allowed: a whole number from {least} to {most}")


def exponent_bias(given: int | None, width: int) -> int:
    """Return the given exponent bias; without one, IEEE 754's for so many exponent bits."""
    usual: int = 2 ** (width - 1) - 1
    return usual if given is None else given
