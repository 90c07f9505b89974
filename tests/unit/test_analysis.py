"""Values and tables follow from the samples."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.analysis.clocks import clock_table
from labs.analysis.compilation import lab as compilation
from labs.analysis.compilation import modes as compilation_modes
from labs.analysis.frame import Samples
from labs.analysis.fusion import attention, linear_relu
from labs.analysis.statistics import at_best
from labs.analysis.tables import ANALYSES, tables
from labs.setup.sources import names_given
from tests.unit import synthetic
from tests.unit.synthetic_run import RECORDS

SCRIPTS = Path(__file__).parents[2] / "scripts"
LAB_FLOAT32 = ("lab", "float32")
LATE = ("fused", 2)


def test_the_speedup_is_the_ratio_of_the_times() -> None:
    values = compilation.values(synthetic.compilation(eager=1.0, compiled=0.5))
    start = "compilation.resnet18.cpu.eval-no_grad"
    assert values[f"{start}.speedup"].estimate.value == pytest.approx(2)
    assert values[f"{start}.eager.steady"].estimate.value == pytest.approx(1, rel=1e-2)


def test_means_over_n_iterations_include_compiling() -> None:
    values = compilation.values(synthetic.compilation(eager=1.0, compiled=0.5, first_call=20.0))
    start = "compilation.resnet18.cpu.eval-no_grad"
    assert values[f"{start}.n5.compiled"].estimate.value == pytest.approx(22 / 5, rel=1e-2)
    assert values[f"{start}.few.speedup"] == values[f"{start}.n5.speedup"]
    assert values[f"{start}.many.speedup"] == values[f"{start}.n50.speedup"]


def test_iterations_that_were_not_run_take_the_median_of_the_later_ones() -> None:
    run = [20.0, 0.5, 0.5, 9.0]
    assert [compilation.total(run, count) for count in (1, 4, 10)] == [20.0, 30.0, 33.0]


def test_break_even_is_the_extra_cost_over_the_gain_per_call() -> None:
    values = compilation.values(synthetic.compilation(eager=1.0, compiled=0.5, first_call=20.0))
    found = values["compilation.resnet18.cpu.eval-no_grad.break_even"].estimate.value
    assert found == pytest.approx((20 - 0.5) / 0.5, rel=1e-3)


def test_there_is_no_break_even_without_a_gain() -> None:
    values = compilation.values(synthetic.compilation(eager=1.0, compiled=1.5))
    assert "compilation.resnet18.cpu.eval-no_grad.break_even" not in values


def test_the_noise_floor_compares_eager_calls_with_those_between_them() -> None:
    record = synthetic.compilation()
    for row in record["samples"]:
        if (row["quantity"], row["arm"]) == ("steady", "eager"):
            row["seconds"] = [1.0 + 0.1 * (place % 2) for place in range(len(row["seconds"]))]
    floor = compilation.values(record)["compilation.resnet18.cpu.noise_floor"].estimate.value
    assert floor == pytest.approx(0.1)


def test_modes_that_ran_in_other_processes_are_compared_by_their_times() -> None:
    values = compilation.values(synthetic.compilation(eager=1.0, compiled=0.5))
    start = "compilation.resnet18.cpu.modes"
    found = {arm: values[f"{start}.{arm}.speedup"].estimate.value for arm in ("eager", "compiled")}
    assert found == {"eager": pytest.approx(1.5), "compiled": pytest.approx(1.5)}
    assert values[f"{start}.gain.speedup"].estimate.value == pytest.approx(1.0)


def test_what_is_outside_of_libraries_bounds_what_fusing_gains() -> None:
    values = compilation.values(synthetic.compilation())
    start = "compilation.resnet18.cpu"
    assert values[f"{start}.eager.outside"].estimate.value == pytest.approx(0.2)
    assert values[f"{start}.most.speedup"].estimate.value == pytest.approx(1.25)


def test_a_batch_that_did_not_fit_is_said_with_the_one_that_was_asked_for() -> None:
    record, name = synthetic.compilation(), "compilation.resnet18.cpu.asked"
    assert name not in compilation.values(record)
    record["spec"]["batch_size"] = 64
    assert compilation.values(record)[name].estimate.value == 128


def test_accumulated_time_adds_the_iterations_up() -> None:
    table = compilation.iteration_table(synthetic.compilation(compiled=0.5, first_call=20.0))
    line = table.query("mode == 'eval+no_grad' and arm == 'compiled'")
    assert line["accumulated"].iloc[9] == pytest.approx(20 + 9 * 0.5, rel=1e-2)
    assert line["accumulated"].iloc[-1] == pytest.approx(20 + 49 * 0.5, rel=1e-2)
    assert line["seconds"].notna().sum() == 12


def test_the_speedups_of_the_ablation_multiply_to_the_whole() -> None:
    values = compilation_modes.values(synthetic.compilation_modes())
    start = "compilation.bert-tiny.cpu.modes.eager"
    steps = [values[f"{start}.{step}.speedup"].estimate.value for step in ("eval", "no_grad")]
    assert steps == [pytest.approx(1.5 / 1.2), pytest.approx(1.2)]
    assert values[f"{start}.speedup"].estimate.value == pytest.approx(steps[0] * steps[1])


def test_a_warm_cache_is_compared_with_a_cold_one() -> None:
    values = compilation_modes.values(synthetic.compilation_modes(first_call=20.0))
    for model in ("resnet18-small", "bert-tiny"):
        found = values[f"compilation.{model}.cpu.warm_cache.speedup"].estimate.value
        assert found == pytest.approx(5)


def test_a_warm_cache_is_compared_with_the_process_that_left_it() -> None:
    record, cold = synthetic.compilation_modes(), [20.0, 40.0, 80.0]
    for row in [*record["samples"], *record["facts"]]:
        if row["case"].get("cache", "").startswith("warm"):
            row["process"] += synthetic.PROCESSES
    caches = {load["process"]: load["cache"] for load in record["loads"]} | {3: 2, 4: 1, 5: 0}
    record["loads"] = [
        {**record["loads"][0], "process": process, "cache": cache}
        for process, cache in caches.items()
    ]
    for row in record["samples"]:
        if row["quantity"] == "first calls":
            faster = 5 if row["case"]["cache"].startswith("warm") else 1
            row["seconds"] = [cold[caches[row["process"]]] / faster]
    found = compilation_modes.values(record)["compilation.bert-tiny.cpu.warm_cache.speedup"]
    # Each pair gives the same ratio, which leaves what runs differ by.
    assert found.estimate.low == pytest.approx(at_best(5.0).low)


def test_a_rate_is_compared_with_the_copy_of_the_same_process() -> None:
    record, name = synthetic.fusion({"float32": 2.0}), "attention.cpu.float32.naive.share_of_copy"
    before = attention.values(record)[name].estimate.value
    for row in record["samples"]:
        if row["arm"] == "copy" and row["process"] == 0:
            row["seconds"] = [10 * second for second in row["seconds"]]
    # As a later process does, this one left the case out.
    record["samples"] = [
        row
        for row in record["samples"]
        if row["process"] or (row["case"].get("shape"), row["case"].get("dtype")) != LAB_FLOAT32
    ]
    assert attention.values(record)[name].estimate.value == pytest.approx(before)


def test_arms_that_were_timed_in_other_processes_are_refused() -> None:
    record = synthetic.fusion({"float32": 2.0})
    record["samples"] = [row for row in record["samples"] if (row["arm"], row["process"]) != LATE]
    with pytest.raises(
        ValueError, match=r"unpaired arms, of the processes \[0, 1, 2\] and \[0, 1\]"
    ):
        attention.values(record)


def test_the_first_stage_is_as_large_as_the_record_was_asked_for() -> None:
    record = synthetic.compilation()
    for row in record["samples"]:
        row["seconds"] = [second * (1.0, 1.5, 1.2)[row["process"]] for second in row["seconds"]]
    of_two, of_three = (
        Samples({**record, "spec": {"processes": processes}}, mode="eval+no_grad").time("eager")
        for processes in (2, 3)
    )
    # Of two processes alone, the spread is less sure.
    assert of_two.estimate.high > 2 * of_three.estimate.high


def test_traffic_and_rates_of_attention_come_from_its_shape() -> None:
    values = attention.values(synthetic.fusion({"float32": 2.0}))
    tensor, scores = 2 * 8 * 128 * 64 * 4, 2 * 8 * 128 * 128 * 4
    assert values["attention.cpu.float32.fused.bytes"].estimate.value == 4 * tensor
    moved = values["attention.cpu.float32.naive.bytes"].estimate.value
    assert moved == 4 * tensor + 6 * scores
    rate = values["attention.cpu.float32.naive.rate"].estimate.value
    assert rate == pytest.approx(moved / 0.01, rel=1e-2)


def test_wrong_implementations_that_pass_are_counted() -> None:
    values = attention.values(synthetic.fusion())
    assert values["attention.cpu.checks.lab_passed"].estimate.value == 1
    assert values["attention.cpu.checks.real_passed"].estimate.value == 0


def test_the_time_of_relu_is_a_share_of_both() -> None:
    values = linear_relu.values(synthetic.fusion(relu=0.001))
    assert values["linear_relu.cpu.float32.relu_share"].estimate.value == pytest.approx(0.1)


def test_a_commit_is_named_once_however_many_parts_of_records_have_it() -> None:
    one, gathered = synthetic.compilation(), synthetic.fusion()
    one["environment"] = one["environment"] | {"commit": "b; a"}
    gathered["environment"] = gathered["environment"] | {"commit": "a; b"}
    machine = tables({"a.json": one, "b.json": gathered}, {"a.json": "", "b.json": ""})["machine"]
    assert list(machine[machine["key"] == "commit"]["value"]) == ["b; a"]


def test_of_what_an_older_record_lacks_it_is_said_that_it_is_not_recorded() -> None:
    one, other = synthetic.compilation(), synthetic.fusion()
    other["environment"] = other["environment"] | {"processor": "a kind"}
    table = tables({"a.json": one, "b.json": other}, {"a.json": "", "b.json": ""})["machine"]
    machine = dict(zip(table["key"], table["value"], strict=True))
    assert machine["processor"] == "not recorded; a kind"
    assert machine["caches"] == "not recorded"


def test_every_table_is_made_and_every_value_has_its_evidence() -> None:
    records = {
        name: synthetic.on_a_gpu(record) if record["samples"] else record
        for name, record in RECORDS.items()
    }
    found = tables(records, dict.fromkeys(records, "a command"))
    # What a preset leaves out of the search, they leave out as well.
    left_out = {"search_lab_space", "search_lab_importance"}
    made = {name for analysis in ANALYSES for name in analysis.tables}
    assert {name for name in made if found[name].empty} == left_out
    assert set(found) == {"values", "published", "machine", "timing", "settings", "jobs", *made}
    assert set(found["values"]["evidence"]) == set(records)
    assert found["values"]["name"].is_unique


def test_settings_are_named_by_the_record_that_was_measured_with_them() -> None:
    records = {
        "records/fusion/cpu.json": synthetic.fusion(),
        "records/fusion.json": synthetic.fusion(),
    }
    table = tables(records, dict.fromkeys(records, ""))["settings"]
    found = set(table.itertuples(index=False, name=None))
    assert {("fusion.cpu", "shape", "2, 8, 128, 64"), ("fusion", "shape", "2, 8, 128, 64")} <= found
    assert "device" not in set(table["setting"])


def test_a_gpu_shows_its_own_clock_for_every_arm() -> None:
    record = synthetic.on_a_gpu(synthetic.fusion({"float32": 2.0}))
    table = clock_table(record)
    steady = [row for row in record["samples"] if row["quantity"] == "steady"]
    assert len(table) == len(steady) / synthetic.PROCESSES
    fused = table.query(
        "arm == 'fused' and case.str.contains('sweep') and case.str.contains('512')"
    )
    assert fused["on_device"].item() == pytest.approx(fused["wall"].item() / 2)
    assert fused["flushed"].item() == pytest.approx(fused["wall"].item() * 2)


def test_a_cpu_has_no_clock_of_its_own() -> None:
    assert clock_table(synthetic.fusion()).empty


def test_every_module_that_reads_records_is_listed() -> None:
    listed = {module.__name__ for module in map(inspect.getmodule, _functions()) if module}
    modules = {
        ".".join(path.relative_to(SCRIPTS).with_suffix("").parts)
        for path in (SCRIPTS / "labs" / "analysis").rglob("*.py")
        if "\nANALYSIS = " in path.read_text()
    }
    assert modules - listed == set()


def test_the_workflow_finds_every_table_in_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SCRIPTS.parent)
    found = names_given("scripts/make_tables.py", "table")
    assert sorted(found) == sorted(name for analysis in ANALYSES for name in analysis.tables)


def _functions() -> list[Callable[..., object]]:
    return [
        function
        for analysis in ANALYSES
        for function in (*analysis.values, *analysis.tables.values())
    ]
