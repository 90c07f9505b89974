"""What a finished run measured: each record has its rows, and leads to verdicts."""

from typing import Any

import pytest

from labs.evaluation import evaluated, values_of
from labs.records.reading import read
from tests.checkout import Finished
from tests.unit.kept import judged

ALWAYS = {
    # Whatever the version of torch and transformers.
    "graphs": "none-left nothing-else-removed removal-changes-no-output shapes-right",
    "mxint8_formulas/cpu": "bit-decides one-line six-fraction-bits causes-known package-exact "
    "bfloat16-first encoder-exact ceil-saturates",
    "mxint8_linear/cpu": "integers error-small",
    "mxint8_memory/cpu": "as-predicted embeddings-lose-most encoder-quantized in-place "
    "loop-holds-both decoding-costs",
}
"""Claims that are confirmed on every machine, by the last words of their names."""
NEVER = {"mxint8_formulas/cpu": "bias-smallest formula-exact ceil-worse"}
"""Claims that are refuted on every machine."""


def record(run: Finished, name: str) -> dict[str, Any]:
    return read(run.folder / "results" / "smoke" / "records" / f"{name}.json")


def verdicts(run: Finished, name: str) -> dict[str, str]:
    """The verdicts on a record, by the names of claims."""
    return {claim.id: claim.verdict for claim in judged(record(run, name)).values()}


def facts(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [fact for fact in record["facts"] if fact["name"] == name]


@pytest.mark.parametrize(
    ("name", "words", "verdict"),
    [(*known, "confirmed") for known in ALWAYS.items()]
    + [(*known, "refuted") for known in NEVER.items()],
)
def test_claims_that_hold_everywhere(
    name: str, words: str, verdict: str, finished_run: Finished
) -> None:
    judged = verdicts(finished_run, name)
    for word in words.split():
        found = {judged[claim] for claim in judged if claim.endswith(f".{word}")}
        assert found - {"not measured"} == {verdict}, word


@pytest.mark.parametrize("name", ["mxint8_linear/cpu", "mxint8_kernels/cpu", "precision", "loops"])
def test_every_claim_is_judged(name: str, finished_run: Finished) -> None:
    assert "not measured" not in verdicts(finished_run, name).values()


def test_the_partition_is_judged_where_it_was_built(finished_run: Finished) -> None:
    built = finished_run.folder / "results" / "build" / "mxint_cuda" / "cute_partition"
    expected = "confirmed" if built.exists() else "not measured"
    assert set(verdicts(finished_run, "mxint8_partition").values()) == {expected}


def test_every_loop_is_timed_in_every_process(finished_run: Finished) -> None:
    samples = record(finished_run, "loops")["samples"]
    steady = [sample for sample in samples if sample["quantity"] == "steady"]
    assert {sample["process"] for sample in steady} == {0, 1, 2, 3}
    assert len({sample["arm"] for sample in samples}) == 4


def test_the_times_of_lora_have_an_interval(finished_run: Finished) -> None:
    found = values_of(record(finished_run, "lora"))
    assert found["lora.seeds"].value == 2
    speedup = found["lora.time.speedup"]
    assert speedup.low < speedup.value < speedup.high, "of one process alone there is none"


def test_mixed_precision_fills_its_tables(finished_run: Finished) -> None:
    for name, table in evaluated(record(finished_run, "precision")).tables.items():
        assert not table.empty, name


def test_the_winners_of_the_search_are_tested(finished_run: Finished) -> None:
    judged = verdicts(finished_run, "search")
    unmeasured = {claim for claim in judged if judged[claim] == "not measured"}
    # Of one training seed, on so few reviews that architectures may be equally accurate.
    never = {"search.compression.repeatability"}
    seldom = {"search.size-foretells", "search.early-loss-foretells", "search.lab_space.tpe-ahead"}
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
    found = read(results / "parts" / "search" / "lab-tpe-0.json")["facts"]
    told = [(fact["case"]["trial"], fact["name"]) for fact in found]
    names = ("correct", "core-seconds", "parameters")
    assert told == [(trial, name) for trial in (1, 2) for name in names]
    assert not list((results.parent / "studies").glob("*.checkpoint"))
