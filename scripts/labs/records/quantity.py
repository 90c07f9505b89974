"""Quantities: estimates with a unit, and how they print.

A number shows three significant digits, unless its interval calls for others: digits finer than a
tenth of the interval's half-width are noise and are dropped; for an interval narrower than three
digits can show, digits are added until its bounds differ from its centre. A share that was counted
and is not all has the digits that say so.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

MINUS = "\u2212"
TIMES = "\u00d7"
NARROW = "\u202f"
"""A narrow no-break space: between a number and its unit, and between groups of thousands."""
SIGNIFICANT = 3
MOST_SIGNIFICANT = 5
SMALLEST_GROUPED = 10_000
ROUNDING = 1e-9
USEFUL = 1000
"""If the bounds of an interval differ by more than this factor, only the factor is printed; of
shares both are, whose differences count."""


@dataclass(frozen=True)
class Step:
    """One unit of a scale, and its size."""

    symbol: str
    factor: float

    @property
    def space(self) -> str:
        """What stands between a number and the unit."""
        return "" if self.symbol in ("", TIMES) else NARROW


def _scale(unit: str, prefixes: str, base: float = 1000.0) -> dict[str, float]:
    return {f"{prefix}{unit}": base**i for i, prefix in enumerate(("", *prefixes.split()))}


# From small to large.
SCALES: dict[str, tuple[Step, ...]] = {
    unit: tuple(Step(symbol, factor) for symbol, factor in steps.items())
    for unit, steps in {
        "s": {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0},
        "bytes": _scale("B", "Ki Mi Gi Ti", base=1024.0),
        "bytes/s": _scale("B/s", "k M G T"),
        "flop/s": _scale("flop/s", "k M G T P"),
        "op/s": _scale("op/s", "k M G T P"),
        "J": {"fJ": 1e-15, "pJ": 1e-12, "nJ": 1e-9, "µJ": 1e-6, "mJ": 1e-3, "J": 1.0},
        "ratio": {TIMES: 1.0},
        "share": {"%": 0.01},
        # Differences of shares: what is gained, what is lost, and either in the cell of a table.
        "points": {"points": 0.01},
        "points lost": {"points": 0.01},
        "pp": {"pp": 0.01},
        "count": {"": 1.0},
        "bits": {"bits": 1.0},
        "µm²": {"µm²": 1.0},
    }.items()
}
SHARES = ("share", "points", "points lost", "pp")
LEAST = {"min": 600.0, "h": 7200.0}
"""From which magnitude a unit is used; others are from one of them."""


@dataclass(frozen=True)
class Estimate:
    """A point estimate and its 95 % interval, in the unit of the input.

    What was counted, or comes from a single process, has no interval: its bounds are NaN.
    ``freedom`` is the number of degrees of freedom that the interval's width was estimated with; of
    an interval over many examples it is infinite.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    freedom: float = math.inf

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The interval's bounds."""
        return None if math.isnan(self.low) else (self.low, self.high)

    def logarithm(self) -> "Estimate":
        """Return the estimate of the logarithm of what is positive."""
        value, low, high = (math.log(bound) for bound in (self.value, self.low, self.high))
        return Estimate(value, low, high, self.freedom)

    def inverse(self) -> "Estimate":
        """Return the estimate of one over what is positive."""
        return Estimate(1 / self.value, 1 / self.high, 1 / self.low, self.freedom)


@dataclass(frozen=True)
class Quantity(Estimate):
    """An estimate with its unit, one of SCALES.

    The value may be NaN, as is the loss of a training that diverged; then there is no interval.
    In a template it prints as `12.3 ms [11.9, 12.8]`; `.point` and `.interval` print the parts.
    """

    unit: str = "count"

    def __post_init__(self) -> None:
        if self.unit not in SCALES:
            raise ValueError(f"unit {self.unit!r} is not one of {', '.join(SCALES)}")
        if math.isnan(self.low) != math.isnan(self.high):
            raise ValueError("an interval needs both of its bounds")
        if not all(map(math.isfinite, self._numbers)) and (
            self.bounds or not math.isnan(self.value)
        ):
            raise ValueError(f"{self.value}, {self.low}, {self.high} are not all finite numbers")
        if self.low > self.high:
            raise ValueError(f"the interval's bounds {self.low}, {self.high} are in wrong order")

    @classmethod
    def of(cls, estimate: Estimate, unit: str) -> "Quantity":
        """Return an estimate in a unit."""
        return cls(estimate.value, estimate.low, estimate.high, estimate.freedom, unit)

    @classmethod
    def read(cls, cells: Iterable[str], unit: str) -> "Quantity":
        """Return the quantity in three cells of a CSV file; those without a number are empty."""
        value, low, high = (float(cell or "nan") for cell in cells)
        return cls(value, low, high, unit=unit)

    def as_loss(self) -> "Quantity":
        """Return a difference of shares as what is lost."""
        return replace(self, unit="points lost")

    def as_gain(self) -> "Quantity":
        """Return what is lost as what is gained, with the other sign; anything else as it is."""
        if self.unit != "points lost":
            return self
        return replace(self, value=-self.value, low=-self.high, high=-self.low, unit="points")

    @property
    def _numbers(self) -> tuple[float, ...]:
        return (self.value, *(self.bounds or ()))

    @property
    def step(self) -> Step:
        """The unit that suits the point estimate, or the bounds if they enclose zero."""
        encloses_zero = self.bounds and self.bounds[0] <= 0 <= self.bounds[1]
        return step_for(self.unit, max(map(abs, self._numbers)) if encloses_zero else self.value)

    def digits(self, step: Step) -> int:
        """Return the decimals to show when counted in `step`."""
        whole = all(float(number).is_integer() for number in self._numbers)
        if self.unit in ("count", "bytes") and step.factor == 1.0 and whole:
            return 0
        half = (self.bounds[1] - self.bounds[0]) / 2 / step.factor if self.bounds else None
        digits = decimals(self.value / step.factor, half)
        lacking = (1 - self.value) / step.factor
        if self.unit == "share" and not self.bounds and 0 < lacking < 10**-digits / 2:
            digits = -_exponent(lacking)
        return digits

    @property
    def point(self) -> str:
        """The point estimate with its unit."""
        if math.isnan(self.value):
            return "no number"
        return self.point_in(self.step) + self.step.space + self.step.symbol

    def point_in(self, step: Step) -> str:
        """Return the point estimate counted in `step`, without it."""
        return number(self.value / step.factor, self.digits(step))

    @property
    def interval(self) -> str:
        """The interval in the point estimate's unit, which is not shown: `[11.9, 12.8]`, or ""."""
        return self.interval_in(self.step)

    def interval_in(self, step: Step) -> str:
        """Return the interval counted in `step`, or ""."""
        if self.bounds is None:
            return ""
        low, high = self.bounds
        if self.unit not in SHARES and low > 0 and high > USEFUL * low:
            return f"[over {USEFUL}-fold]"
        shown = []
        for bound in self.bounds:
            counted, digits = bound / step.factor, self.digits(step)
            if abs(bound) >= 10 * abs(self.value):
                # Far larger than the point, it needs no more digits than it would have alone.
                digits = min(digits, decimals(counted))
            elif bound and (low > 0 or high < 0):
                # An interval beside zero does not look as if it reached zero.
                digits = max(digits, -_exponent(counted))
            shown.append(number(counted, digits))
        return f"[{', '.join(shown)}]"

    @property
    def verbatim(self) -> str:
        """The number with the digits that it was given with, for published values."""
        step = self.step
        digits = max(0, -int(Decimal(f"{self.value / step.factor:.10g}").as_tuple().exponent))
        return number(self.value / step.factor, digits) + step.space + step.symbol

    def __str__(self) -> str:
        return f"{self.point} {self.interval}".rstrip()

    def __html__(self) -> str:
        point = f'<span class="number">{self.point}</span>'
        return f'{point} <span class="interval">{self.interval}</span>' if self.bounds else point


def step_for(unit: str, value: float) -> Step:
    """Return the step of `unit`'s scale for a magnitude after rounding.

    999.7 µs rounds to 1000 µs, so it is counted in ms.
    """
    rounded = float(f"{abs(value):.{SIGNIFICANT - 1}e}") or 1.0
    fitting = [step for step in SCALES[unit] if rounded >= LEAST.get(step.symbol, step.factor)]
    return fitting[-1] if fitting else SCALES[unit][0]


def decimals(value: float, half_width: float | None = None) -> int:
    """Return how many decimals `value` shows, given the half-width of its interval."""
    first = -_exponent(value) if value else 0
    digits = first + SIGNIFICANT - 1 if value else 0
    if half_width:
        # Show one or two digits of the half-width, and at least one of the value, unless it is
        # a rounding error of zero.
        coarse = -_exponent(half_width)
        digits = min(max(digits, min(coarse, first + MOST_SIGNIFICANT - 1)), coarse + 1)
        digits = max(digits, first) if abs(value) > ROUNDING * half_width else digits
    return max(digits, 0)


def _exponent(value: float) -> int:
    """Return the decimal exponent of a non-zero `value` rounded to three significant digits."""
    return int(f"{abs(value):.{SIGNIFICANT - 1}e}".split("e")[1])


def number(value: float, digits: int) -> str:
    """Return `value` with `digits` decimals and a minus sign; five digits and more are grouped."""
    grouping = "," if abs(value) >= SMALLEST_GROUPED else ""
    text = f"{abs(value):{grouping}.{digits}f}".replace(",", NARROW)
    return (MINUS if value < 0 and text.strip("0.") else "") + text


def counted(number: float, unit: str = "count") -> Quantity:
    """Return a quantity that was counted, not sampled: it has no interval."""
    return Quantity(float(number), unit=unit)
