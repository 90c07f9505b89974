"""Question 3's codes, encoder and costs as by hand, and values that follow from its records."""

from collections import Counter
from itertools import product

import gfloat
import numpy as np
import pytest
import torch
from gfloat.formats import format_info_ocp_e8m0, format_info_ocp_int8
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from labs.analysis.frame import Samples
from labs.analysis.published import numbers
from labs.analysis.values import Values
from labs.evaluation import evaluated, values_of
from labs.experiments.mxint8.costs import Shape, bytes_moved, operations
from labs.experiments.mxint8.formulas import decoding, encoding
from labs.experiments.mxint8.formulas import values as formulas
from labs.experiments.mxint8.linear import energy
from labs.experiments.mxint8.linear import values as linear
from labs.experiments.mxint8.names import BOTH, LAB_MODEL, READING, SHORT
from labs.experiments.mxint8.shapes import build
from tests.unit import kept


def test_exact_values_are_those_of_an_independent_decoder() -> None:
    mantissa, exponent = decoding.every_pair()
    values = decoding.exact(mantissa, exponent).numpy()
    elements = [
        gfloat.decode_float(format_info_ocp_int8, code & 0xFF).fval for code in range(-128, 128)
    ]
    scales = [gfloat.decode_float(format_info_ocp_e8m0, code).fval for code in range(256)]
    np.testing.assert_array_equal(values, np.outer(scales, elements))


def test_the_formula_is_wrong_for_511_pairs_in_three_places_and_any_other_is_unexplained() -> None:
    pairs = decoding.every_pair()
    exact = decoding.exact(*pairs).to(torch.bfloat16)
    wrong = decoding.differs(decoding.formula(*pairs), exact).nonzero()
    causes = Counter(decoding.cause(m + decoding.LOWEST, e) for e, m in wrong.tolist())
    assert causes == {
        "no implicit one in BF16": 255,
        "magnitude of eight bits": 254,
        "infinity instead of NaN": 2,
    }
    assert decoding.cause(5, 100) == "unexplained"


def test_packing_ignores_the_bit_worth_one() -> None:
    out, bias, leading = decoding.pack(torch.tensor([80, 16]), torch.tensor([127, 127]))
    assert out.tolist() == [1.25, 1.25]
    assert bias.tolist() == [1, 1]
    assert leading.tolist() == [True, False]


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


SHAPES = [Shape(1, 8, 3, 4), Shape(2, 8, 3, 8), Shape(3, 10, 2, 4)]


def multiplied(kind: str, terms: int, steps: Counter[str], product: str = "") -> None:
    """Count the steps of a sum of products."""
    for term in range(terms):
        steps[f"{product or kind} multiply"] += 1
        steps[f"{kind} add"] += term > 0


def steps_of(arm: str, shape: Shape) -> Counter[str]:
    """The operations of a layer, counted one by one."""
    steps: Counter[str] = Counter()
    if arm == "MXINT8 weights":
        for _ in product(range(shape.outputs), range(shape.inputs)):  # decode the weight
            steps.update(["conversion", "float32 multiply"])
    if arm == "MXINT8 weights and activations":
        for _ in product(range(shape.rows), range(shape.inputs)):  # encode x
            steps.update(["conversion", "float32 multiply"])
    for _ in product(range(shape.rows), range(shape.outputs)):
        if arm != "MXINT8 weights and activations":
            multiplied("float32", shape.inputs, steps, "float16" if arm == "bfloat16" else "")
            continue
        for group, first in enumerate(range(0, shape.inputs, shape.group_size)):
            terms = min(shape.group_size, shape.inputs - first)
            multiplied("int32", terms, steps, "int8")
            steps.update(["conversion", "float32 multiply"])  # times both scales
            steps["float32 add"] += group > 0
    return +steps


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("arm", SHORT)
def test_operations_are_those_that_a_layer_takes(arm: str, shape: Shape) -> None:
    found = {kind: count for kind, count in operations(arm, shape).items() if count}
    assert found == steps_of(arm, shape)


def test_bytes_are_those_of_the_tensors() -> None:
    shape = Shape(rows=2, inputs=10, outputs=3, group_size=4)
    assert bytes_moved("float32", shape) == {"weights": 120, "scales": 0, "activations": 104}
    assert bytes_moved("bfloat16", shape) == {"weights": 60, "scales": 0, "activations": 52}
    # Three groups per row: the last one is shorter, but has a scale too.
    packed = {"weights": 30, "scales": 9, "activations": 104}
    assert bytes_moved("MXINT8 weights", shape) == packed
    assert bytes_moved("MXINT8 weights and activations", shape) == packed


@pytest.mark.parametrize(
    ("name", "parameters", "share"),
    [("deberta-xlarge", 758_859_782, 0.930), ("deberta-v3-small", 141_899_526, 0.303)],
)
def test_a_models_parameters_and_linear_share(name: str, parameters: int, share: float) -> None:
    model = build(name, "meta")
    linear = sum(m.weight.numel() for m in model.modules() if isinstance(m, nn.Linear))
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters
    assert linear / parameters == pytest.approx(share, abs=5e-4)


def test_mantissas_are_counted_without_the_one_that_no_encoder_emits() -> None:
    values = values_of(kept.record("mxint8_formulas/cpu"))
    found = {name.split(".", 2)[2]: value.value for name, value in values.items()}
    assert (found["mantissas"], found["leading"], found["rest"]) == (255, 128, 127)
    assert found["leading.right"] == 128
    assert found["rest.off_by_bias"] == 127
    assert found["bit_exceptions"] == 0
    assert found["one_line"] == 255
    assert found["bias_over_smallest"] == 64
    assert found["cause.unexplained"] == 0


def test_the_twins_share_a_word_and_differ_in_one_bit() -> None:
    twins = formulas.twin_table(kept.record("mxint8_formulas/cpu"))
    assert twins["word"].nunique() == 1
    first, second = (int(bits, 2) for bits in twins["bits"])
    assert first ^ second == 0x40
    assert list(twins["formula"]) == [1.25, 0.25]


def test_rates_of_a_layer_come_from_its_bytes_and_times() -> None:
    record = kept.record("mxint8_linear/cpu")
    found = Values(values_of(record), "mxint8_linear.cpu")
    samples, packed = Samples(record), 4096 * 4096 * (1 + 1 / 32)
    moved = packed + 2 * 4096 * 4
    assert found["few.both.bytes"].value == moved
    seconds = samples.time(BOTH, batch=1).value
    assert found["few.both.rate"].value == pytest.approx(moved / seconds)
    seconds = samples.time(READING, batch=1).value
    assert found["few.reading.rate"].value == pytest.approx(packed / seconds)
    assert found["bits"].value == 8.25


def test_conversions_do_not_count_as_arithmetic() -> None:
    values = values_of(kept.record("mxint8_linear/cpu"))
    assert values["mxint8_linear.cpu.many.weights.integer_share"].value == 0
    share = values["mxint8_linear.cpu.many.both.integer_share"].value
    assert share == pytest.approx((2 - 1 / 32) / (2 + 1 / 32), rel=1e-2)


def test_the_energy_is_the_counts_times_the_published_costs() -> None:
    record = kept.record("mxint8_linear/cpu")
    costs = numbers("H-energy")
    products = 4096 * 4096
    expected = {
        "float32 multiply": products * costs["float32 multiply"],
        "float32 add": (products - 4096) * costs["float32 add"],
    }
    operations = linear.counts(record, "operations", "float32", 1)
    assert energy.arithmetic(operations) == pytest.approx(expected)
    values = values_of(record)
    moved = values["mxint8_linear.cpu.few.float32.bytes"].value
    least = values["mxint8_linear.cpu.few.float32.energy.memory.least"].value
    assert least == pytest.approx(moved / 8 * 1.3e-9)


def test_a_statement_without_numbers_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match="there are no values of A-two-rules"):
        numbers("A-two-rules")


def test_the_waterfall_starts_at_the_sheets_formula_and_ends_at_the_published_saving() -> None:
    record = kept.record("mxint8_memory/cpu")
    table = evaluated(record).tables["mxint8_memory_waterfall"]
    table = table[table["model"] == LAB_MODEL]
    assert table["saved"].iloc[0] == pytest.approx(0.8671875)
    assert table["saved"].iloc[1] == pytest.approx(0.7421875)
    measured = table[table["source"] == "measured"].iloc[0]
    predicted = table[table["source"] == "formula"].iloc[-1]
    assert predicted["saved"] == pytest.approx(measured["saved"])
    assert table.iloc[-1][["source", "saved"]].tolist() == ["published", 0.664]
