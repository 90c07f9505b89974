"""Values and tables follow from the samples."""

import pytest

from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples
from labs.analysis.statistics import at_best
from labs.analysis.tables import tables
from labs.analysis.timing import timing_table
from labs.evaluation import Evaluated, analyses, evaluated, values_of
from labs.experiments.compilation.lab import values as compilation
from labs.records.quantity import Quantity
from labs.setup.discovery import listed
from tests.shipped import modules_with
from tests.unit.kept import RECORDS, Row, edited, fact, machine, matching, record, told

LOOP = "compilation.resnet18.cpu"
CORRECTED = f"{LOOP}.eval-no_grad"
SLOWER = {"train+grad": 1.5, "train+no_grad": 1.3, "eval+grad": 1.2, "eval+no_grad": 1.0}
"""The factor of each mode on the times of the corrected one."""


def looped(name: str = "compilation/cpu", **seconds: float) -> Row:
    """The record of a loop with these times of the arms in the corrected mode, and first calls of
    20 seconds where compiled: 4 with a warm cache.
    """
    of = record(name)
    for row in of["samples"]:
        arm, case = row["arm"].removesuffix(" again"), row["case"]
        found = seconds.get(arm, {"eager": 1.0, "compiled": 0.5}[arm]) * SLOWER[case["mode"]]
        if (row["quantity"], arm) == ("first calls", "compiled"):
            found = 4.0 if case["cache"].startswith("warm") else 20.0
        row["seconds"] = [found] * len(row["seconds"])
    return of


def fused(**seconds: float) -> Row:
    """The record of fusion in which every call takes 0.01 seconds, but for these arms'."""
    of = record("fusion/cpu")
    for row in of["samples"]:
        row["seconds"] = [seconds.get(row["arm"], 0.01)] * len(row["seconds"])
    return of


def number(values: dict[str, Quantity], name: str) -> float:
    return values[name].value


def test_the_speedup_is_the_ratio_of_the_times() -> None:
    values = values_of(looped())
    assert number(values, f"{CORRECTED}.speedup") == pytest.approx(2)
    assert number(values, f"{CORRECTED}.eager.steady") == pytest.approx(1)


def test_means_over_n_iterations_include_compiling() -> None:
    values = values_of(looped())
    assert number(values, f"{CORRECTED}.n5.compiled") == pytest.approx(22 / 5)
    assert values[f"{CORRECTED}.few.speedup"] == values[f"{CORRECTED}.n5.speedup"]
    assert values[f"{CORRECTED}.many.speedup"] == values[f"{CORRECTED}.n50.speedup"]


def test_iterations_that_were_not_run_take_the_median_of_the_later_ones() -> None:
    run = [20.0, 0.5, 0.5, 9.0]
    assert [compilation.total(run, count) for count in (1, 4, 10)] == [20.0, 30.0, 33.0]


def test_break_even_is_the_extra_cost_over_the_gain_per_call() -> None:
    found = number(values_of(looped()), f"{CORRECTED}.break_even")
    assert found == pytest.approx((20 - 0.5) / 0.5)
    assert f"{CORRECTED}.break_even" not in values_of(looped(compiled=1.5)), "no gain"


def test_the_noise_floor_compares_eager_calls_with_those_between_them() -> None:
    noisy = looped()
    for row in matching(noisy, "samples", {"quantity": "steady", "arm": "eager"}):
        row["seconds"] = [1.0 + 0.1 * (place % 2) for place in range(len(row["seconds"]))]
    assert number(values_of(noisy), f"{LOOP}.noise_floor") == pytest.approx(0.1)


def test_modes_that_ran_in_other_processes_are_compared_by_their_times() -> None:
    values = values_of(looped())
    for arm, expected in (("eager", 1.5), ("compiled", 1.5), ("gain", 1.0)):
        assert number(values, f"{LOOP}.modes.{arm}.speedup") == pytest.approx(expected)


def test_what_is_outside_of_libraries_bounds_what_fusing_gains() -> None:
    profiled = told("compilation/cpu", "profiled time", 1.0)
    for row in matching(profiled, "facts", {"name": "library time"}):
        row["value"] = 0.8
    values = values_of(profiled)
    assert number(values, f"{LOOP}.eager.outside") == pytest.approx(0.2)
    assert number(values, f"{LOOP}.most.speedup") == pytest.approx(1.25)


def test_a_batch_that_did_not_fit_is_said_with_the_one_that_was_asked_for() -> None:
    smaller = record("compilation/cpu")
    assert f"{LOOP}.asked" not in values_of(smaller)
    smaller["spec"]["batch_size"] = 64
    assert number(values_of(smaller), f"{LOOP}.asked") == 128


def test_accumulated_time_adds_the_iterations_up() -> None:
    table = compilation.iteration_table(looped())
    line = table.query("mode == 'eval+no_grad' and arm == 'compiled'")
    assert line["accumulated"].iloc[9] == pytest.approx(20 + 9 * 0.5)
    assert line["accumulated"].iloc[-1] == pytest.approx(20 + 49 * 0.5)
    assert line["seconds"].notna().sum() == 9


def test_the_speedups_of_the_ablation_multiply_to_the_whole() -> None:
    values = values_of(looped("compilation_modes/cpu"))
    start = "compilation.bert-tiny.cpu.modes.eager"
    steps = [number(values, f"{start}.{step}.speedup") for step in ("eval", "no_grad")]
    assert steps == [pytest.approx(1.5 / 1.2), pytest.approx(1.2)]
    assert number(values, f"{start}.speedup") == pytest.approx(steps[0] * steps[1])


def test_a_warm_cache_is_compared_with_the_process_that_left_it() -> None:
    cached = looped("compilation_modes/cpu")
    for load in cached["loads"][3:]:
        load["cache"] = 2 - load["cache"]
    left_by = {load["process"]: load["cache"] for load in cached["loads"]}
    for row in matching(cached, "samples", {"quantity": "first calls", "arm": "compiled"}):
        row["seconds"] = [2 ** left_by[row["process"]] * second for second in row["seconds"]]
    values = values_of(cached)
    for model in ("resnet18-small", "bert-tiny"):
        found = values[f"compilation.{model}.cpu.warm_cache.speedup"]
        assert found.value == pytest.approx(5)
        # Each pair gives the same ratio, which leaves what runs differ by.
        assert found.low == pytest.approx(at_best(5.0).low)


def test_a_rate_is_compared_with_the_copy_of_the_same_process() -> None:
    copied, name = fused(), "attention.cpu.float32.naive.share_of_copy"
    before = number(values_of(copied), name)
    for row in matching(copied, "samples", {"arm": "copy", "process": 0}):
        row["seconds"] = [10 * second for second in row["seconds"]]
    # As a later process does, this one left the case out.
    lacking = matching(copied, "samples", {"shape": "lab", "dtype": "float32", "process": 0})
    copied["samples"] = [row for row in copied["samples"] if row not in lacking]
    assert number(values_of(copied), name) == pytest.approx(before)


def test_arms_that_were_timed_in_other_processes_are_refused() -> None:
    lacking = record("fusion/cpu")
    late = matching(lacking, "samples", {"arm": "fused", "process": 2})
    lacking["samples"] = [row for row in lacking["samples"] if row not in late]
    with pytest.raises(ValueError, match=r"unpaired arms, of the processes \[0, 1, 2.* and \[0, 1"):
        values_of(lacking)


def test_the_first_stage_is_as_large_as_the_record_was_asked_for() -> None:
    spread = looped()
    for row in spread["samples"]:
        row["seconds"] = [second * (1.0, 1.5, 1.2)[row["process"] % 3] for second in row["seconds"]]
    of_two, of_three = (
        Samples({**spread, "spec": {"processes": processes}}, mode="eval+no_grad").time("eager")
        for processes in (2, 3)
    )
    # Of two processes alone, the spread is less sure.
    assert of_two.high > 2 * of_three.high


def test_traffic_and_rates_of_attention_come_from_its_shape() -> None:
    values = values_of(fused())
    tensor, scores = 32 * 8 * 128 * 64 * 4, 32 * 8 * 128 * 128 * 4
    assert number(values, "attention.cpu.float32.fused.bytes") == 4 * tensor
    moved = number(values, "attention.cpu.float32.naive.bytes")
    assert moved == 4 * tensor + 6 * scores
    assert number(values, "attention.cpu.float32.naive.rate") == pytest.approx(moved / 0.01)


def test_wrong_implementations_that_pass_are_counted() -> None:
    values = values_of(record("fusion/cpu"))
    assert number(values, "attention.cpu.checks.lab_passed") == 4
    assert number(values, "attention.cpu.checks.real_passed") == 0


def test_the_time_of_relu_is_a_share_of_both() -> None:
    values = values_of(fused(**{"ReLU alone": 0.001}))
    assert number(values, "linear_relu.cpu.float32.relu_share") == pytest.approx(0.1)


def test_a_commit_is_named_once_however_many_parts_of_records_have_it() -> None:
    one, gathered = record("lora"), record("formats")
    one["environment"]["commit"], gathered["environment"]["commit"] = "b; a", "a; b"
    assert [value for key, value in machine(one, gathered) if key == "commit"] == ["b; a"]


def test_of_what_an_older_record_lacks_it_is_said_that_it_is_not_recorded() -> None:
    one, other = record("formats"), record("lora")
    for of in (one, other):
        for name in ("processor", "microcode", "caches"):
            del of["environment"][name]
    other["environment"]["processor"] = "a kind"
    found = dict(machine(one, other))
    assert found["processor"] == "not recorded; a kind"
    assert found["microcode, caches"] == "not recorded, not recorded"
    assert "unlike" not in found


def test_processors_of_several_kinds_are_unlike() -> None:
    one, other = record("formats"), record("lora")
    one["environment"]["processor"], other["environment"]["processor"] = "a kind", "another"
    assert ("unlike", "a kind; another") in machine(one, other)


def on_a_gpu(of: Row) -> Row:
    """The same record from a GPU, whose clock shows half the wall time, and twice when flushed."""
    clocks = {"steady, device": 0.5, "flushed, device": 2.0}
    timed = [
        {**row, "quantity": clock, "seconds": [factor * second for second in row["seconds"]]}
        for row in matching(of, "samples", {"quantity": "steady"})
        for clock, factor in clocks.items()
    ]
    return {**of, "device": "cuda", "samples": of["samples"] + timed}


def read_without_claims(of: Row) -> Evaluated:
    return Evaluated(of, values_of(of), claims=[])


def test_every_table_is_made_and_every_value_has_its_evidence() -> None:
    records = {name: on_a_gpu(of) if of["samples"] else of for name, of in RECORDS.items()}
    read = {name: read_without_claims(of) for name, of in records.items()}
    found = tables(read, dict.fromkeys(read, "a command"))
    # What a preset leaves out of the search, they leave out as well.
    left_out = {"search_lab_space", "search_lab_importance"}
    made = {name for analysis in analyses() for name in analysis.table_names}
    assert {name for name in made if found[name].empty} == left_out
    assert set(found) == {"values", "published", "machine", "timing", "settings", "jobs", *made}
    assert set(found["values"]["evidence"]) == set(records)
    assert found["values"]["name"].is_unique


def test_settings_are_named_by_the_record_that_was_measured_with_them() -> None:
    measured = record("loops")
    records = {"records/loops/cpu.json": measured, "records/loops.json": measured}
    read = {path: evaluated(of) for path, of in records.items()}
    table = tables(read, dict.fromkeys(read, ""))["settings"]
    found = set(table.itertuples(index=False, name=None))
    assert {(name, "batch-size", "8") for name in ("loops.cpu", "loops")} <= found
    assert "device" not in set(table["setting"])


def test_a_gpu_shows_its_own_clock_for_every_arm_and_a_cpu_has_none() -> None:
    timed = on_a_gpu(record("fusion/cpu"))
    table = clock_table(timed)
    assert len(table) == len(matching(timed, "samples", {"quantity": "steady", "process": 0}))
    fused = table[table["case"].str.contains("float32, .*512") & (table["arm"] == "fused")]
    assert fused["on_device"].item() == pytest.approx(fused["wall"].item() / 2)
    assert fused["flushed"].item() == pytest.approx(fused["wall"].item() * 2)
    assert clock_table(record("fusion/cpu")).empty


def test_every_module_that_reads_records_is_found_and_by_the_workflow_its_tables() -> None:
    assert len(modules_with("ANALYSIS = ", "labs")) == len(analyses())
    made = [name for analysis in analyses() for name in analysis.table_names]
    assert sorted(listed("TABLES")) == sorted(made)


def sample(process: int, quantity: str, seconds: list[float]) -> Row:
    row = {"process": process, "quantity": quantity, "arm": "eager", "case": {}}
    return {**row, "calls": 1, "seconds": seconds}


def test_what_was_taken_again_and_what_counts_although_disturbed_is_told() -> None:
    samples = [
        sample(0, "steady", [1.0, 1.0]),
        sample(0, "disturbed", [2.0]),
        sample(1, "steady", [1.0, 1.0, 3.0]),
    ]
    facts = [
        fact(0, "processes needed", 9, "count", "every arm"),
        fact(1, "disturbed samples kept", 1, "count", "eager"),
    ]
    loads = [{"others": 0.1, "left": 1, "waited": 0.0}, {"others": 1.5, "left": 1, "waited": 4.0}]
    timed = record("fusion/cpu") | {"samples": samples, "facts": facts, "loads": loads}
    row = timing_table([timed]).iloc[0]
    counted = {"processes": 2, "needed": 9, "samples": 6, "taken_again": 1, "disturbed": 1}
    left = {"others": 1.5, "left": 1, "waited": 4.0}
    assert row.to_dict() == {"experiment": "fusion", "device": "cpu", **counted, **left}
    assert Samples(timed).flags("eager").endswith("1 of 6 taken again, 1 of 5 disturbed")
    assert timing_table([record("graphs")]).empty


def test_near_copies_and_the_longest_review_are_counted() -> None:
    of = record("reviews")
    values = values_of(of)
    (different,) = matching(of, "facts", {"name": "different words"})
    assert number(values, "reviews.near_copies") == (
        number(values, "reviews.kept") - different["value"]
    )
    assert number(values, "reviews.longest") == 512


def test_the_time_of_a_review_is_its_share_of_a_training_step() -> None:
    of = record("lora")
    step = Samples(of).time("LoRA").value
    assert number(values_of(of), "lora.time.LoRA") == pytest.approx(step / of["spec"]["batch_size"])


def test_the_error_of_merging_is_not_that_of_the_models_before_they_are_timed() -> None:
    wrong = edited("lora", "checks", {"error": 1e9}, arm="LoRA")
    assert number(values_of(wrong), "lora.merge.error") < 1


def test_only_the_pretrained_encoder_has_pretrained_layers() -> None:
    of = record("lora")
    assert "lora.pretrained_layers" not in values_of(of)
    of["spec"]["init"] = "encoder"
    assert number(values_of(of), "lora.pretrained_layers") == of["spec"]["layers"]
