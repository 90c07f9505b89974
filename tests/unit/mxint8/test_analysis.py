"""Values and tables of question 3 follow from its records."""

import pytest

from labs.analysis.frame import Samples
from labs.analysis.published import numbers
from labs.experiments.mxint8.formulas import values as formulas
from labs.experiments.mxint8.linear import energy
from labs.experiments.mxint8.linear import values as linear
from labs.experiments.mxint8.memory import values as memory
from labs.experiments.mxint8.names import BOTH, READING
from tests.unit import kept


def test_mantissas_are_counted_without_the_one_that_no_encoder_emits() -> None:
    values = formulas.values(kept.record("mxint8_formulas/cpu"))
    found = {name.split(".", 2)[2]: value.estimate.value for name, value in values.items()}
    assert (found["mantissas"], found["leading"], found["rest"]) == (255, 128, 127)
    assert found["leading.right"] == 128
    assert found["rest.off_by_bias"] == 127
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
    found = {name.split(".", 2)[2]: one for name, one in linear.values(record).items()}
    samples, packed = Samples(record), 4096 * 4096 * (1 + 1 / 32)
    moved = packed + 2 * 4096 * 4
    assert found["few.both.bytes"].estimate.value == moved
    seconds = samples.time(BOTH, batch=1).estimate.value
    assert found["few.both.rate"].estimate.value == pytest.approx(moved / seconds)
    seconds = samples.time(READING, batch=1).estimate.value
    assert found["few.reading.rate"].estimate.value == pytest.approx(packed / seconds)
    assert found["bits"].estimate.value == 8.25


def test_conversions_do_not_count_as_arithmetic() -> None:
    values = linear.values(kept.record("mxint8_linear/cpu"))
    assert values["mxint8_linear.cpu.many.weights.integer_share"].estimate.value == 0
    share = values["mxint8_linear.cpu.many.both.integer_share"].estimate.value
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
    values = linear.values(record)
    moved = values["mxint8_linear.cpu.few.float32.bytes"].estimate.value
    least = values["mxint8_linear.cpu.few.float32.energy.memory.least"].estimate.value
    assert least == pytest.approx(moved / 8 * 1.3e-9)


def test_a_statement_without_numbers_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match="there are no values of A-two-rules"):
        numbers("A-two-rules")


def test_the_waterfall_starts_at_the_sheets_formula_and_ends_at_the_published_saving() -> None:
    record = kept.record("mxint8_memory/cpu")
    table = memory.waterfall_table(record, memory.values(record))
    table = table[table["model"] == memory.LAB_MODEL]
    assert table["saved"].iloc[0] == pytest.approx(0.8671875)
    assert table["saved"].iloc[1] == pytest.approx(0.7421875)
    measured = table[table["source"] == "measured"].iloc[0]
    predicted = table[table["source"] == "formula"].iloc[-1]
    assert predicted["saved"] == pytest.approx(measured["saved"])
    assert table.iloc[-1][["source", "saved"]].tolist() == ["published", 0.664]
