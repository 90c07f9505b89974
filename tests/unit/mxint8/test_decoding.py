"""The exact value of a code against an independent decoder, and the lab's formula against it."""

from collections import Counter

import gfloat
import numpy as np
import pytest
import torch
from gfloat.formats import format_info_ocp_e8m0, format_info_ocp_int8

from labs.experiments.mxint8.formulas import decoding


def test_exact_values_are_those_of_an_independent_decoder() -> None:
    mantissa, exponent = decoding.every_pair()
    values = decoding.exact(mantissa, exponent).numpy()
    elements = [
        gfloat.decode_float(format_info_ocp_int8, code & 0xFF).fval for code in range(-128, 128)
    ]
    scales = [gfloat.decode_float(format_info_ocp_e8m0, code).fval for code in range(256)]
    np.testing.assert_array_equal(values, np.outer(scales, elements))


def test_the_formula_is_wrong_for_511_pairs_in_three_places() -> None:
    pairs = decoding.every_pair()
    exact = decoding.exact(*pairs).to(torch.bfloat16)
    wrong = decoding.differs(decoding.formula(*pairs), exact).nonzero()
    causes = Counter(decoding.cause(m + decoding.LOWEST, e) for e, m in wrong.tolist())
    assert causes == {
        "no implicit one in BF16": 255,
        "magnitude of eight bits": 254,
        "infinity instead of NaN": 2,
    }


@pytest.mark.parametrize(
    ("mantissa", "exponent", "value"),
    [(80, 127, 1.25), (16, 127, 0.25), (-16, 127, -0.25), (127, 254, 127 / 64 * 2.0**127)],
)
def test_the_formula_gives_values_as_by_hand(mantissa: int, exponent: int, value: float) -> None:
    code = torch.tensor([mantissa]), torch.tensor([exponent])
    assert decoding.formula(*code).item() == value == decoding.exact(*code).item()


def test_packing_ignores_the_bit_worth_one() -> None:
    out, bias, leading = decoding.pack(torch.tensor([80, 16]), torch.tensor([127, 127]))
    assert out.tolist() == [1.25, 1.25]
    assert bias.tolist() == [1, 1]
    assert leading.tolist() == [True, False]


def test_nan_equals_only_nan() -> None:
    nan, one = torch.tensor([torch.nan]), torch.tensor([1.0])
    assert not decoding.differs(nan, nan).any()
    assert decoding.differs(nan, one).all()


def test_a_pair_outside_the_known_causes_is_unexplained() -> None:
    assert decoding.cause(5, 100) == "unexplained"
