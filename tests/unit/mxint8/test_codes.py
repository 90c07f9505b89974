"""MXINT8's codes: the exact values, the lab's formula, the encoder, and MASE's scale."""

from collections import Counter

import gfloat
import numpy as np
import pytest
import torch
from gfloat.formats import format_info_ocp_e8m0, format_info_ocp_int8
from hypothesis import given
from hypothesis import strategies as st

from labs.experiments.mxint8 import decoding, encoding


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


def test_packing_ignores_the_bit_worth_one() -> None:
    out, bias, leading = decoding.pack(torch.tensor([80, 16]), torch.tensor([127, 127]))
    assert out.tolist() == [1.25, 1.25]
    assert bias.tolist() == [1, 1]
    assert leading.tolist() == [True, False]


def test_a_pair_outside_the_known_causes_is_unexplained() -> None:
    assert decoding.cause(5, 100) == "unexplained"


FINITE = st.floats(-(2.0**100), 2.0**100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-30)


@given(st.lists(FINITE, min_size=2, max_size=8).filter(any))
def test_the_scale_is_the_power_of_two_at_or_below_the_largest(numbers: list[float]) -> None:
    group = torch.tensor([numbers], dtype=torch.float64)
    mantissas, step = encoding.encode(group)
    scale = step.item() * 64
    assert scale <= group.abs().max() < 2 * scale
    kept = encoding.clamp(mantissas)
    assert kept.abs().max() <= 127
    near = (kept * step - group).abs() <= step / 2
    assert (near | (mantissas.abs() > 127)).all()


@pytest.mark.parametrize(("x", "code"), [(0.5 / 64, 0), (1.5 / 64, 2), (2.5 / 64, 2)])
def test_ties_go_to_the_even_mantissa(x: float, code: int) -> None:
    mantissas, _ = encoding.encode(torch.tensor([[1.0, x]]))
    assert mantissas.tolist() == [[64, code]]


@given(st.lists(FINITE, min_size=2, max_size=8).filter(any))
def test_both_scales_agree_unless_the_largest_is_a_power_of_two(numbers: list[float]) -> None:
    group = torch.tensor([numbers], dtype=torch.float64)
    steps = [encoding.encode(group, scale)[1].item() for scale in ("floor", "ceil")]
    halved = encoding.largest_is_power(group).item()
    assert steps[1] == (steps[0] / 2 if halved else steps[0])


def test_a_positive_power_of_two_saturates_only_with_the_ceil_scale() -> None:
    group = torch.tensor([[2.0, 0.3]])
    assert encoding.encode(group, "ceil")[0][0, 0] == 128
    assert encoding.clamp(encoding.encode(group, "ceil")[0], "ceil")[0, 0] == 127
    assert encoding.encode(group, "floor")[0][0, 0] == 64


def test_the_error_is_relative_to_the_norm_of_the_group() -> None:
    group = torch.tensor([[2.0, 0.0]])
    assert encoding.error(group, "floor") == 0
    assert encoding.error(group, "ceil") == pytest.approx(1 / 128)
    assert encoding.error(group * 2.0**40, "ceil") == pytest.approx(1 / 128)
