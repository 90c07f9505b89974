"""Numbers print with the digits that their intervals allow, and can be read back."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.records.quantity import MINUS, NARROW, SCALES, Quantity, decimals, number
from reporting.text import align, column_step


@pytest.mark.parametrize(
    ("quantity", "printed"),
    [
        (Quantity(0.0123, 0.0119, 0.0128, unit="s"), "12.3_ms [11.9, 12.8]"),
        (Quantity(999.7e-6, unit="s"), "1.00_ms"),
        (Quantity(1234.5, 1200, 1300, unit="s"), "20.6_min [20.0, 21.7]"),
        (Quantity(0, 0, 0, unit="s"), "0_s [0, 0]"),
        (Quantity(0.0001, -0.002, 0.003, unit="s"), "0.1_ms [-2.0, 3.0]"),
        (Quantity(1.27, 1.268, 1.272, unit="ratio"), "1.270× [1.268, 1.272]"),
        (Quantity(1.27, 0.2, 5.1, unit="ratio"), "1.3× [0.2, 5.1]"),
        (Quantity(1.36, 0.05, 38, unit="ratio"), "1× [0.05, 38]"),
        (Quantity(2e-18, -0.00701, 0.00701, unit="share"), "0.00_% [-0.70, 0.70]"),
        (Quantity(0.004, 0, 3784, unit="ratio"), "0.004× [0.000, 3784]"),
        (Quantity(-0.0004, -0.002, 0.001, unit="share"), "-0.04_% [-0.20, 0.10]"),
        (Quantity(0.872, 0.861, 0.884, unit="share"), "87.2_% [86.1, 88.4]"),
        # Not all, and all.
        (Quantity(0.99995, unit="share"), "99.995_%"),
        (Quantity(1, unit="share"), "100_%"),
        (Quantity(-0.004, -0.008, -0.00004, unit="points"), "-0.40_points [-0.80, -0.004]"),
        (Quantity(64 * 2**20, unit="bytes"), "64.0_MiB"),
        (Quantity(512, unit="bytes"), "512_B"),
        (Quantity(2.31e10, 2.2e10, 2.4e10, unit="bytes/s"), "23.1_GB/s [22.0, 24.0]"),
        (Quantity(9.5e10, unit="flop/s"), "95.0_Gflop/s"),
        (Quantity(12345678), "12_345_678"),
        (Quantity(5, 4, 7), "5 [4, 7]"),
        (Quantity(5.3, 4, 7), "5.3 [4.0, 7.0]"),
        # The loss of a training that diverged.
        (Quantity(math.nan, unit="bits"), "no number"),
    ],
)
def test_prints(quantity: Quantity, printed: str) -> None:
    assert str(quantity) == printed.replace("_", NARROW).replace("-", MINUS)


def test_html_keeps_point_and_interval_apart() -> None:
    assert Quantity(2, 1, 3, unit="ratio").__html__() == (
        '<span class="number">2.0×</span> <span class="interval">[1.0, 3.0]</span>'
    )
    assert Quantity(2, unit="ratio").__html__() == '<span class="number">2.00×</span>'


def test_verbatim_adds_no_digits() -> None:
    assert Quantity(1.5, unit="ratio").verbatim == "1.5×"
    assert Quantity(0.070697, unit="s").verbatim == f"70.697{NARROW}ms"
    assert Quantity(15360).verbatim == f"15{NARROW}360"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ((1, math.nan, math.nan, "furlong"), "unit 'furlong'"),
        ((1, 0, math.nan, "s"), "both of its bounds"),
        ((math.inf, math.nan, math.nan, "s"), "not all finite"),
        ((math.nan, 1, 2, "s"), "not all finite"),
        ((1, 3, 2, "s"), "wrong|order"),
    ],
)
def test_refuses(fields: tuple[float, float, float, str], message: str) -> None:
    value, low, high, unit = fields
    with pytest.raises(ValueError, match=message):
        Quantity(value, low, high, unit=unit)


def parsed(text: str) -> float:
    return float(text.replace(NARROW, "").replace(MINUS, "-"))


ordinary = st.floats(1e-9, 1e12) | st.floats(-1e12, -1e-9)


@given(ordinary, st.sampled_from(list(SCALES)))
def test_point_reads_back_within_its_rounding(value: float, unit: str) -> None:
    quantity = Quantity(value, unit=unit)
    step = quantity.step
    printed = quantity.point.removesuffix(step.symbol)
    assert "e" not in printed
    error = abs(parsed(printed) - value / step.factor)
    assert error <= 0.5 * 10.0 ** -quantity.digits(step) * (1 + 1e-6)


@given(ordinary, st.floats(1e-4, 0.5))
def test_an_interval_never_looks_like_a_point(value: float, width: float) -> None:
    half = abs(value) * width
    quantity = Quantity(value, value - half, value + half, unit="ratio")
    assume(half >= 1e-3)
    low, high = (parsed(bound) for bound in quantity.interval.strip("[]").split(", "))
    assert low < high
    assert low <= parsed(quantity.point.removesuffix("×")) <= high


@given(ordinary)
def test_three_significant_digits_without_an_interval(value: float) -> None:
    shown = number(value, decimals(value))
    assert math.isclose(parsed(shown), value, rel_tol=0.0051)
    assert shown.startswith(MINUS) == (value < 0 and parsed(shown) != 0)


def test_a_column_shares_a_unit_unless_its_magnitudes_are_too_far_apart() -> None:
    shared = column_step("s", [0.0001, 0.012, 0.5])
    assert shared is not None and shared.symbol == "ms"
    assert column_step("s", [1e-9, 1.0, 1000.0]) is None
    assert column_step("s", [1e-9, 0.5, 1.0]) is None


def test_align_pads_to_one_decimal_point() -> None:
    assert align(["12.3", "1.27", "105", ""]) == ["12.3\u2007", "1.27", "105\u2008\u2007\u2007", ""]
    assert align(["5", "200"]) == ["5", "200"]


def test_an_interval_that_bounds_nothing_says_so() -> None:
    assert Quantity(1.0, 0.001, 5000.0, unit="s").interval == "[over 1000-fold]"
    assert "fold" not in Quantity(0.0076, 0.000005, 0.015, unit="share").interval
    assert Quantity(1.0, 0.5, 2.0, unit="s").interval == "[0.50, 2.00]"
