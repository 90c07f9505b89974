"""MXINT8 once more, from the specification's words, in float64 and without any of the package."""

import numpy as np
import torch
import torch.nn.functional as F

FLOATS = [torch.float32, torch.bfloat16, torch.float16]
EPSILON = torch.finfo(torch.float32).eps

Pair = tuple[torch.Tensor, torch.Tensor]


def decode(mantissa: torch.Tensor, exponent: torch.Tensor, size: int) -> torch.Tensor:
    """Return the values, exactly."""
    m = mantissa.numpy().astype(np.float64)
    e = exponent.numpy().astype(np.float64)
    scale = np.where(e == 255, np.nan, 2.0 ** (e - 127))
    columns = m.shape[-1]
    return torch.from_numpy(m / 64 * np.repeat(scale, min(size, columns), axis=-1)[..., :columns])


def encode(x: torch.Tensor, size: int) -> Pair:
    """Return the mantissas and exponents of x."""
    columns = x.shape[-1]
    size = min(size, columns)
    padded = F.pad(x.double(), (0, -columns % size)).numpy()
    groups = padded.reshape(*x.shape[:-1], -1, size)
    largest = np.abs(groups).max(axis=-1)  # NaN where there is one
    finite = np.isfinite(largest)
    _, above = np.frexp(np.where(finite, largest, 1.0))  # 2^(above - 1) <= largest < 2^above
    e = np.where(finite, np.clip(above - 1 + 127, 0, 254), 255)
    e[largest == 0] = 0
    with np.errstate(invalid="ignore"):
        m = np.rint(groups * 2.0 ** (127.0 - e)[..., None] * 64)
    m = np.where(finite[..., None], np.clip(m, -127, 127), 0).reshape(padded.shape)[..., :columns]
    return torch.from_numpy(m.astype(np.int8)), torch.from_numpy(e.astype(np.uint8))


def multiply(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return x W^T + bias in float64, and the sum of its terms' magnitudes, which bounds errors."""
    terms = [None if t is None else t.double() for t in (x, weight, bias)]
    return F.linear(*terms), F.linear(*(None if t is None else t.abs() for t in terms))


def all_codes() -> tuple[torch.Tensor, torch.Tensor]:
    """Return all 65,536 pairs: mantissas of shape (256, 256), and an exponent a row."""
    mantissa = torch.arange(-128, 128).to(torch.int8).repeat(256, 1)
    exponent = torch.arange(256).to(torch.uint8)[:, None]
    return mantissa, exponent


def codes(rows: int, columns: int, size: int) -> Pair:
    """Return random mantissas and exponents."""
    generator = torch.Generator().manual_seed(rows * columns + size % 1000)
    mantissa = torch.randint(-128, 128, (rows, columns), generator=generator)
    exponent = torch.randint(0, 256, (rows, -(-columns // size)), generator=generator)
    return mantissa.to(torch.int8), exponent.to(torch.uint8)


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors hold the same bits, any NaN being like any other."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    integer = torch.int32 if a.dtype == torch.float32 else torch.int16
    one, other = (tensor.contiguous().view(integer) for tensor in (a, b))
    if torch.equal(one, other):  # seldom not, and looking for NaN takes several times as long
        return True
    return bool(((one == other) | a.isnan() & b.isnan()).all())


def normal(rows: int, columns: int, seed: int) -> torch.Tensor:
    """Return random numbers whose groups have exponents of many sizes."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(rows, columns, generator=generator)
    return values * torch.randn(rows, columns, generator=generator).exp2()


def with_nan(rows: int, inputs: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return x with an infinity, a weight of 20 rows with a NaN, and where their product is NaN."""
    x, weight = normal(rows, inputs, 1), normal(20, inputs, 2)
    x[0, -1] = torch.inf
    weight[3, 0] = torch.nan
    expected = torch.zeros(rows, 20, dtype=torch.bool)
    expected[0] = expected[:, 3] = True
    return x, weight, expected


def every_mantissa(size: int) -> Pair:
    """Return a weight of (20, 640), in whose every third row is -128, which no encoder emits."""
    mantissa = torch.arange(20 * 640).to(torch.int8).view(20, 640)
    mantissa[::3] = -128
    return mantissa, torch.arange(100, 120).to(torch.uint8)[:, None].repeat(1, -(-640 // size))


def special_values() -> torch.Tensor:
    """Return one row of the numbers at which encoders go wrong, each among ordinary ones."""
    powers = 2.0 ** torch.arange(-149, 128, dtype=torch.float64)
    near = powers.float()
    below, above = near.nextafter(torch.tensor(0.0)), near.nextafter(torch.tensor(torch.inf))
    ties = torch.outer(powers[20::8], (torch.arange(256) + 0.5) / 64).flatten().float()
    rare = torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan, 3e-40, 1e38, 3.4028235e38])
    values = torch.cat([near, below, above, ties, rare.repeat(4), torch.zeros(40)])
    order = torch.randperm(len(values), generator=torch.Generator().manual_seed(1))
    signs = 1 - 2 * (order % 2)
    return (values[order] * signs)[None]
