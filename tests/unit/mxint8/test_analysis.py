"""Values and tables of question 3 follow from its records."""

import pytest

from labs.analysis.mxint8 import accuracy as accuracy_of
from labs.analysis.mxint8 import energy, formulas, linear, memory, partition
from labs.analysis.published import numbers
from labs.analysis.tables import ANALYSES, tables
from tests.unit.mxint8 import synthetic


def test_every_table_of_question_3_is_made() -> None:
    records = synthetic.everything()
    found = tables(records, dict.fromkeys(records, "a command"))
    made = [
        name
        for analysis in ANALYSES
        if f"{analysis.experiment}.json" in records
        for name in analysis.tables
    ]
    # A CPU has no clock of its own.
    clocks = {"mxint8_linear_clocks", "mxint8_kernels_clocks"}
    assert {name for name in made if found[name].empty} == clocks
    assert found["values"]["name"].is_unique
    assert set(found["values"]["evidence"]) == set(records)


def test_mantissas_are_counted_without_the_one_that_no_encoder_emits() -> None:
    values = formulas.values(synthetic.formulas())
    found = {name.split(".", 2)[2]: value.estimate.value for name, value in values.items()}
    assert (found["mantissas"], found["leading"], found["rest"]) == (255, 128, 127)
    assert found["leading.right"] == 128
    assert found["rest.off_by_bias"] == 127
    assert found["one_line"] == 255
    assert found["bias_over_smallest"] == 64
    assert found["cause.unexplained"] == 2


def test_the_twins_share_a_word_and_differ_in_one_bit() -> None:
    twins = formulas.twin_table(synthetic.formulas())
    assert twins["word"].nunique() == 1
    first, second = (int(bits, 2) for bits in twins["bits"])
    assert first ^ second == 0x40
    assert list(twins["formula"]) == [1.25, 0.25]


def test_rates_and_gains_of_a_layer_come_from_its_bytes_and_times() -> None:
    arm = "MXINT8 weights and activations"
    values = linear.values(synthetic.linear({arm: 4.0}))
    name = "mxint8_linear.cpu.few.both"
    assert values[f"{name}.speedup"].estimate.value == pytest.approx(4.0)
    moved = 4096 * 4096 * (1 + 1 / 32) + 2 * 4096 * 4
    assert values[f"{name}.bytes"].estimate.value == moved
    assert values[f"{name}.rate"].estimate.value == pytest.approx(moved / 0.0025, rel=1e-2)
    assert values["mxint8_linear.cpu.bits"].estimate.value == 8.25


def test_a_layer_is_held_to_the_rate_at_which_its_packed_weight_is_read() -> None:
    values = linear.values(synthetic.linear({"MXINT8 weights and activations": 6.0}))
    packed = 4096 * 4096 * (1 + 1 / 32)
    for name, expected in (
        ("reading.rate", packed / 0.01 * 8),
        ("both.share_of_reading", 6 / 8),
        ("weights.share_of_reading", 1 / 8),
    ):
        found = values[f"mxint8_linear.cpu.few.{name}"].estimate.value
        assert found == pytest.approx(expected, rel=1e-2)


def test_conversions_do_not_count_as_arithmetic() -> None:
    values = linear.values(synthetic.linear())
    assert values["mxint8_linear.cpu.many.weights.integer_share"].estimate.value == 0
    share = values["mxint8_linear.cpu.many.both.integer_share"].estimate.value
    assert share == pytest.approx((2 - 1 / 32) / (2 + 1 / 32), rel=1e-2)


def test_the_energy_is_the_counts_times_the_published_costs() -> None:
    record = synthetic.linear()
    costs = numbers("H-energy")
    products = 4096 * 4096
    expected = {
        "float32 multiply": products * costs["float32 multiply"],
        "float32 add": (products - 4096) * costs["float32 add"],
    }
    assert energy.arithmetic(record, "float32", 1) == pytest.approx(expected)
    values = energy.values(record)
    moved = linear.values(record)["mxint8_linear.cpu.few.float32.bytes"].estimate.value
    least = values["mxint8_linear.cpu.few.float32.energy.memory.least"].estimate.value
    assert least == pytest.approx(moved / 8 * 1.3e-9)


def test_a_statement_without_numbers_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match="there are no values of A-two-rules"):
        numbers("A-two-rules")


def test_the_waterfall_starts_at_the_sheets_formula_and_ends_at_the_published_saving() -> None:
    table = memory.waterfall_table(synthetic.memory())
    assert table["saved"].iloc[0] == pytest.approx(0.8671875)
    assert table["saved"].iloc[1] == pytest.approx(0.7421875)
    measured = table[table["source"] == "measured"].iloc[0]
    predicted = table[table["source"] == "formula"].iloc[-1]
    before, after = 4 * (32_000 + 4_000 + 100), 33_000 + 16_000 + 400
    assert measured["saved"] == pytest.approx(1 - after / before)
    assert predicted["saved"] == pytest.approx(measured["saved"])
    assert table.iloc[-1][["source", "saved"]].tolist() == ["published", 0.664]


def test_threads_of_a_tile_are_counted_by_their_place() -> None:
    down = partition.values(synthetic.partition())
    along = partition.values(synthetic.partition(down=False))
    threads = down["mxint8_partition.threads"].estimate.value
    assert down["mxint8_partition.down_columns"].estimate.value == threads
    # Along the rows, only the first and the last thread of a tile are in the expected place.
    tiles = threads / (4 * 8)
    assert along["mxint8_partition.down_columns"].estimate.value == 2 * tiles
    assert down["mxint8_partition.ragged.owned"].estimate.value == 30
    assert down["mxint8_partition.ragged.idle"].estimate.value == pytest.approx(1 - 30 / 64)


def test_labels_that_change_are_counted_by_review() -> None:
    values = accuracy_of.values(synthetic.accuracy(changed=3))
    assert values["mxint8_accuracy.both.changed"].estimate.value == 3
    assert values["mxint8_accuracy.both.gain"].estimate.value == pytest.approx(-3 / 2000)
