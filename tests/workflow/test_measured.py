"""What a finished run measured: each record has its rows, and leads to verdicts."""

from typing import Any

from labs.analysis.lora import values as of_lora
from labs.analysis.mxint8.accuracy import values as of_accuracy
from labs.analysis.precision import cost, searched, uniform
from labs.claims.judge import claims_of
from labs.records.reading import read
from tests.checkout import Finished

JUDGED = {"confirmed", "refuted", "undecided", "no difference"}


def record(run: Finished, name: str) -> dict[str, Any]:
    return read(run.folder / "results" / "smoke" / "records" / f"{name}.json")


def verdicts(run: Finished, name: str) -> dict[str, str]:
    """The verdicts on a record, by claim id without the experiment."""
    return {claim.id.split(".", 1)[1]: claim.verdict for claim in claims_of(record(run, name))}


def facts(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [fact for fact in record["facts"] if fact["name"] == name]


def test_graphs(finished_run: Finished) -> None:
    found = verdicts(finished_run, "graphs")
    # These hold for every version of torch and transformers.
    for claim in ("none-left", "nothing-else-removed", "removal-changes-no-output", "shapes-right"):
        assert [found[name] for name in found if name.endswith(claim)] == ["confirmed"]


def test_reviews(finished_run: Finished) -> None:
    counted = facts(record(finished_run, "reviews"), "reviews")
    assert sum(fact["value"] for fact in counted) == 24904


def test_every_loop_is_timed_in_every_process(finished_run: Finished) -> None:
    samples = record(finished_run, "loops")["samples"]
    steady = [sample for sample in samples if sample["quantity"] == "steady"]
    assert {sample["process"] for sample in steady} == {0, 1, 2, 3}
    assert len({sample["arm"] for sample in samples}) == 4


def test_trainings_and_times_of_lora(finished_run: Finished) -> None:
    found = of_lora(record(finished_run, "lora"))
    assert found["lora.seeds"].estimate.value == 2
    speedup = found["lora.time.speedup"].estimate
    assert speedup.low < speedup.value < speedup.high, "of one process alone there is no interval"


def test_the_parts_of_mixed_precision(finished_run: Finished) -> None:
    assert set(verdicts(finished_run, "precision").values()) <= JUDGED
    for analysis in (searched.ANALYSIS, uniform.ANALYSIS, cost.ANALYSIS):
        for name, table in analysis.tables.items():
            assert not table(record(finished_run, "precision")).empty, name


def test_the_winners_of_the_search_are_tested(finished_run: Finished) -> None:
    found = verdicts(finished_run, "search")
    unmeasured = {claim for claim, verdict in found.items() if verdict == "not measured"}
    # Of one training seed, on so few reviews that the architectures may be equally accurate, and
    # that two searches may choose the same one.
    never = {"compression.repeatability"}
    seldom = {"choices-explain-most", "size-foretells", "early-loss-foretells"}
    seldom |= {f"compression.aware.{stage}" for stage in ("compressed", "retrained")}
    seldom |= {"lab_space.tpe-ahead"}
    assert never <= unmeasured <= never | seldom
    right = facts(record(finished_run, "search"), "correct")
    tested = [fact["arm"] for fact in right if fact["case"].get("split") == "test"]
    twice = ("compressed", "retrained")
    assert sorted(tested) == sorted(["default", "winner", "trial", *twice, *twice, "control"])
    assert [fact["process"] for fact in right if fact["arm"] == "default"] == [0, 0, 1]
    again = facts(record(finished_run, "search"), "different answers")
    assert [fact["value"] for fact in again] == [0]


def test_the_labs_whole_space_is_searched(finished_run: Finished) -> None:
    results = finished_run.folder / "results" / "smoke"
    told = [
        (fact["case"]["trial"], fact["name"])
        for fact in read(results / "parts" / "search" / "lab-tpe-0.json")["facts"]
    ]
    names = ("correct", "core-seconds", "parameters")
    assert told == [(trial, name) for trial in (1, 2) for name in names]
    assert not list((results / "studies").glob("*.checkpoint"))


def test_the_formulas_of_mxint8(finished_run: Finished) -> None:
    assert verdicts(finished_run, "mxint8_formulas/cpu") == {
        "cpu.bit-decides": "confirmed",
        "cpu.one-line": "confirmed",
        "cpu.six-fraction-bits": "confirmed",
        "cpu.bias-smallest": "refuted",
        "cpu.formula-exact": "refuted",
        "cpu.causes-known": "confirmed",
        "cpu.package-exact": "confirmed",
        "cpu.bfloat16-first": "confirmed",
        "cpu.encoder-exact": "confirmed",
        "cpu.ceil-saturates": "confirmed",
        "cpu.ceil-worse": "refuted",
    }


def test_linear_layers_in_mxint8(finished_run: Finished) -> None:
    found = verdicts(finished_run, "mxint8_linear/cpu")
    assert found["cpu.integers"] == "confirmed"
    assert found["cpu.error-small"] == "confirmed"
    assert set(found.values()) <= JUDGED


def test_the_memory_of_models_in_mxint8(finished_run: Finished) -> None:
    found = verdicts(finished_run, "mxint8_memory/cpu")
    small = {name: verdict for name, verdict in found.items() if "v3-small" in name}
    confirmed = {name.split(".")[-1] for name, verdict in small.items() if verdict == "confirmed"}
    of_tensors = {"as-predicted", "embeddings-lose-most", "encoder-quantized"}
    assert confirmed == of_tensors | {"in-place", "loop-holds-both", "decoding-costs"}
    assert {verdict for name, verdict in found.items() if name not in small} == {"not measured"}


def test_decoding_mxint8(finished_run: Finished) -> None:
    assert verdicts(finished_run, "mxint8_kernels/cpu")["cpu.near-copy"] in JUDGED


def test_the_partition_of_a_tensor(finished_run: Finished) -> None:
    program = finished_run.folder / "results" / "build" / "mxint_cuda" / "cute_partition"
    expected = "confirmed" if program.exists() else "not measured"
    assert set(verdicts(finished_run, "mxint8_partition").values()) == {expected}


def test_accuracy_in_mxint8(finished_run: Finished) -> None:
    found = of_accuracy(record(finished_run, "mxint8_accuracy"))
    assert 0 <= found["mxint8_accuracy.weights.changed"].estimate.value <= 200
