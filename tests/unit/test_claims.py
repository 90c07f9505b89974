"""A verdict follows the data: the same statement is confirmed by one record, refuted by another."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
import yaml

from labs.analysis.values import Values
from labs.claims.judge import rules
from labs.claims.rules import Rules
from labs.claims.statement import MORE_WOULD_NOT_DECIDE, Rule
from labs.evaluation import analyses, evaluate, values_of
from labs.experiments.compression.quantization import values as quantization
from labs.experiments.mxint8.names import BOTH, WEIGHTS
from labs.experiments.precision.names import ALL, DIRECT, PAIRS, PAIRS_QUANTIZED, UNIFORM
from labs.experiments.search import names as search
from labs.records import record as records
from labs.records.names.studies import RANDOM, TPE
from labs.records.packed import pack, pack_losses, unpack
from labs.records.quantity import counted
from labs.records.reading import RecordError
from tests.shipped import ROOT, modules_with
from tests.unit.kept import (
    RECORDS,
    answer,
    answered,
    edited,
    fact,
    judged,
    matching,
    record,
    timed,
    told,
)

RULES = rules()
PUBLISHED = yaml.safe_load((ROOT / "report" / "published.yaml").read_text())["statements"]
QUESTIONS = {row["id"] for row in yaml.safe_load((ROOT / "report" / "questions.yaml").read_text())}
SCHEMA = yaml.safe_load((ROOT / "workflow" / "schemas" / "claims.schema.yaml").read_text())

ABSENT = [
    records.not_measured(experiment, device, "none here")
    for experiment in RULES
    for device in ("cpu", "cuda")
]
DIFFERING = "differing elements"
PTQ = {"arm": "PTQ", "curve": "widths"}
QAT = {"arm": "QAT", "curve": "widths"}
THREE = {"arm": "PTQ", "format": "8:3"}
TESTED = {"arm": search.WINNER, "split": "test"}
ALONE = "block_m,block_k,thread,m,k,element,shared,inside\n0,0,1,0,0,0,0,1\n"
"""An example of CuTe's partition in which the second thread has the only element."""
LOOP, FUSION = "compilation/cpu", "fusion/cpu"
SAME = {"seconds": [1.0, 1.0]}
FIRST = {"quantity": "first calls"}
LAB_CHECK = {"reference": "the lab's check"}
BEST, WORST = (7, 11), (2, 1)
"""The architectures of the search, by training seed."""
TRIALS = 12
"""Of a search: as many as there are architectures."""
FIRST_EPOCH, LAST = 63, 252
"""The last steps of the first epoch of the winner's longer training, and of all of it."""


@cache
def ids_of(make: Callable[[dict[str, Any], Values], list[Rule]], experiment: str) -> list[str]:
    """The claims that some rules make of the kept record of an experiment."""
    return [rule.statement.id for rule in make(RECORDS[experiment], Values({}))]


@cache
def of_kept(experiment: str) -> dict[str, str]:
    """The verdicts on the kept record of an experiment, by claim."""
    return {claim.id: claim.verdict for claim in judged(RECORDS[experiment]).values()}


def verdicts(record: dict[str, Any], ending: str) -> set[str]:
    """The verdicts of the claims whose ids end so, on whichever models they are."""
    name = record["experiment"]
    makes = [make for make in RULES[name] if any(i.endswith(ending) for i in ids_of(make, name))]
    values = Values(values_of(record))
    made = [rule for make in makes for rule in make(record, values)]
    return {rule().verdict for rule in made if rule.statement.id.endswith(ending)}


def always(sampler: str, numbers: tuple[int, int]) -> dict[str, Any]:
    """The searches, of which a sampler's try one architecture again and again."""
    of = record("search")
    for row in matching(of, "facts", {"name": "replays", "arm": sampler}):
        row["value"] = search.written([[numbers[row["process"]]] * TRIALS] * 1000)
    return of


def foretold_wrongly() -> dict[str, Any]:
    """The searches, with the greater early losses the more accurate an architecture is."""
    of = record("search")
    trials = {"arm": search.TRIAL, "split": "validation", "name": "correct"}
    losses = matching(of, "facts", {"name": "early loss"})
    for row, trial in zip(losses, matching(of, "facts", trials), strict=True):
        row["value"] = float(unpack(trial["value"]).mean())
    return of


def lowest_at(step: int) -> dict[str, Any]:
    """The searches, whose winner's validation loss is lowest at a step."""
    return told("search", "losses", pack_losses(np.full(500, 0.1)), arm=search.EPOCHS, step=step)


@pytest.mark.parametrize(
    ("record", "claim", "verdict"),
    [
        (timed(LOOP, "compiled", 4.0), "corrected-faster", "refuted"),
        (edited(LOOP, "samples", SAME, quantity="steady"), "corrected-faster", "no difference"),
        (timed(LOOP, "compiled", 0.01, **FIRST), "lab-code-slower", "refuted"),
        (timed(LOOP, "compiled", 100, **FIRST), "pays-back", "refuted"),
        (timed(LOOP, "compiled", 0.01, **FIRST), "few-pay", "confirmed"),
        (timed("compilation_modes/cpu", "compiled", 4.0), "corrected-faster", "refuted"),
        (told(LOOP, "recompilations", 2), "recompiles", "confirmed"),
        (timed(FUSION, "fused", 3.0, dtype="float32"), "float32.fused-faster", "refuted"),
        (timed(FUSION, "fused", 0.1), "dtype-decides", "refuted"),
        (edited(FUSION, "checks", {"passed": False}, **LAB_CHECK), "lab-check-blind", "refuted"),
        (timed(FUSION, "compiled", 2.0), "float32.compiled-faster", "refuted"),
        (timed(FUSION, "ReLU alone", 100), "float32.little-to-gain", "refuted"),
        (told("graphs", "dropout nodes", 1, arm="removed"), "none-left", "refuted"),
        (told("graphs", "dropout nodes", 5, arm="ids"), "nothing-else-removed", "refuted"),
        (told("graphs", DIFFERING, 1, arm="loaded from its file"), "reload-exact", "refuted"),
        (told("graphs", DIFFERING, 0, arm="a mask with padding"), "padding-matters", "refuted"),
        (told("graphs", DIFFERING, 1, arm="loss"), "labels-add-the-loss", "refuted"),
        (told("graphs", "error", "", arm="erase"), "erasing-raises", "refuted"),
        (told("reviews", "texts in two splits", 1), "no-overlap", "refuted"),
        (told("reviews", "reviews", 5000, arm="train", label=1), "balanced", "refuted"),
        (answered("base_model", 0.8, split="test"), "learnt", "undecided"),
        (answered("base_model", 0.75, split="test"), "learnt", "refuted"),
        (answered("base_model", 1.0, arm="BERT-tiny, no mask"), "mask-helps", "refuted"),
        (timed("loops", "Trainer", 0.4), "half-again", "refuted"),
        (timed("loops", "Trainer, grouped by length", 0.4), "loop-itself", "refuted"),
        (answered("loops", 0.2, arm="own loop"), "as-accurate", "refuted"),
        (told("lora", "trained parameters", 190_000, arm="LoRA"), "few-parameters", "refuted"),
        (told("lora", "peak memory", 10_000_000, arm="LoRA"), "less-memory", "confirmed"),
        (timed("lora", "LoRA", 0.4), "faster", "confirmed"),
        (answered("lora", 1.0, arm="LoRA"), "sft-more-accurate", "refuted"),
        (answered("lora", 0.2, arm="SFT"), "second-epoch-gains", "confirmed"),
        (answered("lora", 0.2, arm="SFT, then SFT"), "beats-second-sft", "confirmed"),
        (answered("lora", 0.2, arm="SFT, biases dropped"), "biases-matter", "confirmed"),
        (answered("lora", 0.2, arm="SFT, MASE's adapters inserted"), "mase-costs", "confirmed"),
        (edited("lora", "checks", {"error": 0.01}), "merge-exact", "refuted"),
        (told("lora", "weights of B not zero", 1), "starts-at-zero", "refuted"),
        (told("lora", "same operators", 0), "merged-computes-the-same", "refuted"),
        (told("ranges", "quantile", 1.5, arm="weight", quantile=1.0), "within-one", "refuted"),
        (told("ranges", "quantile", 0.0, arm="input"), "inputs-need-more", "refuted"),
        (told("ranges", "parameters", 1_000_000), "memory-saved", "confirmed"),
        (told("formats", "weight error", 0.01, mode="mase"), "ieee-carry", "refuted"),
        (told("formats", "weights kept", 0.5, mode="mase"), "inverted-bias", "refuted"),
        (answered("formats", 1.0, mode="mase"), "inverted-bias-costs", "refuted"),
        (answered("formats", 1.0, format="binary"), "scaling-helps", "refuted"),
        (timed("compression_speed", "fake-quantized", 2.0), "step512.affordable", "refuted"),
        (timed("compression_speed", "zeros, 0.9", 0.4), "zeros.s90.faster", "confirmed"),
        (timed("compression_speed", "zeros skipped, 0.5", 0.1), "skipped.s50.faster", "confirmed"),
        (timed("compression_speed", "smaller, 0.5", 4.0), "smaller.s50.faster", "refuted"),
        (told("mxint8_formulas/cpu", "decoded", 0.5, arm="bias"), "bit-decides", "refuted"),
        (told("mxint8_formulas/cpu", "decoded", 0.0, arm="formula"), "one-line", "refuted"),
        (told("mxint8_formulas/cpu", "decoded", 1 / 64, arm="bias"), "bias-smallest", "confirmed"),
        (told("mxint8_formulas/cpu", "wrong pairs", 0), "formula-exact", "confirmed"),
        (told("mxint8_formulas/cpu", "error", 0.1, arm="ceil"), "ceil-worse", "confirmed"),
        (timed("mxint8_linear/cpu", BOTH, 20, batch=1), "few.both-faster", "refuted"),
        (timed("mxint8_linear/cpu", BOTH, 20, batch=1), "few.both-over-weights", "refuted"),
        (timed("mxint8_linear/cpu", "float32", 0.1, batch=1), "few.memory-bound", "confirmed"),
        (told("mxint8_memory/cpu", "bytes", 1, kind="embeddings"), "lose-most", "refuted"),
        (told("mxint8_memory/cpu", "bytes", 10**10, arm="mxint8"), "xlarge.saves-half", "refuted"),
        (told("mxint8_memory/cpu", "peak of conversion", 1), "loop-holds-both", "refuted"),
        (timed("mxint8_kernels/cpu", "mxint_cuda", 3.0), "near-copy", "refuted"),
        (timed("mxint8_kernels/cpu", "element-wise", 0.01), "faster-than-naive", "refuted"),
        (told("mxint8_partition", "owners", ALONE), "each-once", "refuted"),
        (told("mxint8_partition", "owners", ALONE), "down-columns", "refuted"),
        (answered("mxint8_accuracy", 0.2, arm=WEIGHTS), "weights.accuracy-kept", "refuted"),
        (answered("mxint8_accuracy", 0.2, arm=BOTH), "both.accuracy-kept", "refuted"),
        (answered("mxint8_accuracy", 0.2, arm=WEIGHTS), "weights.predictions-kept", "refuted"),
        (answered("quantization", 0.2, **PTQ, format="8:4"), "ptq-eight-suffices", "refuted"),
        (answered("quantization", 1.0, **PTQ, format="4:2"), "ptq-four-fails", "refuted"),
        (answered("quantization", 0.2, **PTQ, format="8:4"), "quantization.knee", "refuted"),
        (answered("quantization", 1.0, **PTQ, format="4:2"), "quantization.knee", "refuted"),
        (told("quantization", "zero", 0.5, **PTQ, format="4:2"), "four-silences", "refuted"),
        (answered("quantization", 1.0, **QAT, format="4:2"), "qat-recovers-four", "confirmed"),
        (answered("quantization", 1.0, **QAT, format="8:4"), "qat-beats-float32", "confirmed"),
        (answered("quantization", 1.0, **QAT, format="8:4"), "qat-beats-control", "confirmed"),
        (answered("quantization", 1.0, **QAT, format="8:4"), "advised-as-good-as-half", "refuted"),
        (answered("quantization", 0.5, format="8:5"), "advised-format-suffices", "refuted"),
        (answered("quantization", 0.2, format="6:4"), "two-integer-bits-as-seven", "refuted"),
        (answered("quantization", 0.2, format="7:4"), "five-integer-bits-needed", "confirmed"),
        (answered("quantization", 1.0, **THREE), "three-fractional-bits-recovered", "refuted"),
        (answered("quantization", 1.0, curve="epochs", epochs=4), "overfits", "refuted"),
        (answered("quantization", 0.2, curve="epochs", epochs=1), "one-epoch-suffices", "refuted"),
        (answered("pruning", 0.2, curve="l1"), "untrained.s90.l1-beats-random", "refuted"),
        (answered("pruning", 0.2, curve="l1", sparsity=0.5), "half-for-free", "refuted"),
        (answered("pruning", 0.2, curve="l1", sparsity=0.9), "stale-masks-cost", "refuted"),
        (answered("pruning", 1.0, curve="random-both"), "both-l1-beats-random", "refuted"),
        (answered("pruning", 0.2, curve="l1-both"), "both-cost-more", "confirmed"),
        (answered("pruning", 1.0, curve="l1-both"), "both-near-chance", "refuted"),
        (told("pruning", "pruned", 0.0), "sparsity-achieved", "refuted"),
        (told("pruning", "zero", 0.1), "format-makes-zeros", "refuted"),
        (answered("precision", 0.2, arm=PAIRS), "pairs-keep", "refuted"),
        (answered("precision", 1.0, arm=PAIRS_QUANTIZED), "one-width-worse", "confirmed"),
        (answered("precision", 1.0, arm=UNIFORM), "two-fractions-lose", "refuted"),
        (answered("precision", 0.2, arm="log"), "precision.log.keeps", "refuted"),
        (answered("precision", 1.0, arm=UNIFORM, spelled="binary"), "scale-helps", "refuted"),
        (answered("precision", 1.0, arm="binary"), "binary-best", "confirmed"),
        (answered("precision", 1.0, arm=ALL), "all.over-best-format", "confirmed"),
        (answered("precision", 0.2, arm="lambda 0.01"), "penalty-keeps-accuracy", "refuted"),
        (answered("precision", 0.2, arm=DIRECT), "search-over.direct", "confirmed"),
        (always(RANDOM, WORST), "same-peak", "refuted"),
        (always(TPE, BEST), "tpe-random.half.ahead", "confirmed"),
        (always(TPE, BEST), "tpe-grid.half.ahead", "confirmed"),
        (always(RANDOM, BEST), "grid-random.startup.ahead", "refuted"),
        (always(RANDOM, WORST), "random-worse", "confirmed"),
        (always(TPE, WORST), "grid-like-tpe", "refuted"),
        (always(TPE, WORST), "tpe-repeats", "confirmed"),
        (answered("search", 0.2, **TESTED), "winner-beats-default", "refuted"),
        (answered("search", 1.0, **TESTED), "winner-beats-default", "confirmed"),
        (foretold_wrongly(), "early-loss-foretells", "refuted"),
        (told("search", "different answers", 1), "reproducible", "refuted"),
        (told("search", "asking", 1e6), "overhead", "refuted"),
        (told("search", "parameters changed", 5, field="num_layers"), "name-ignored", "refuted"),
        (told("search", "architectures", 10, spelling="meant"), "space-is-larger", "refuted"),
        (answered("search", 1.0, arm=search.COMPRESSED), "compression.lost", "refuted"),
        (answered("search", 0.2, arm=search.RETRAINED), "compression.recovered", "refuted"),
        (answered("search", 0.2, arm=search.RETRAINED), "compression.left", "refuted"),
        (answered("search", 0.2, arm=search.RETRAINED), "retrained-above-compressed", "refuted"),
        (answered("search", 0.2, arm=search.RETRAINED), "retrained-above-trial", "refuted"),
        (answered("search", 1.0, arm=search.COMPRESSED), "compressed-above-trial", "confirmed"),
        (answered("search", 1.0, objective=search.RETRAINED), "over_winner", "confirmed"),
        (answered("search", 1.0, arm=search.CONTROL), "over_control", "refuted"),
        (answered("search", 1.0, arm=search.COMPRESSED, number=0), "aware.compressed", "confirmed"),
        (answered("search", 0.0, arm=search.COMPRESSED, number=0), "repeatability", "confirmed"),
        (lowest_at(LAST), "epochs.overfits", "refuted"),
        (answered("search", 0.0, arm=search.EPOCHS, step=LAST), "accuracy-falls", "confirmed"),
        (
            answered("search", 1.0, arm=search.EPOCHS, step=FIRST_EPOCH),
            "accuracy-gains",
            "no difference",
        ),
    ],
)
def test_the_verdict_follows_the_data(record: dict[str, Any], claim: str, verdict: str) -> None:
    usual = {found for name, found in of_kept(record["experiment"]).items() if name.endswith(claim)}
    assert verdicts(record, claim) == {verdict}
    assert usual and verdict not in usual


def test_a_number_format_that_was_not_run_is_not_measured() -> None:
    found = record(FUSION)
    found["spec"]["dtypes"] = ["float32"]
    assert verdicts(found, "float16.fused-faster") == {"not measured"}
    assert verdicts(found, "dtype-decides") == {"not measured"}


@pytest.mark.parametrize("absent", ABSENT, ids=lambda one: f"{one['experiment']}.{one['device']}")
def test_an_absent_device_makes_the_same_claims_not_measured(absent: dict[str, Any]) -> None:
    claims = judged(absent)
    assert claims
    if absent["device"] == "cpu":
        assert claims.keys() >= of_kept(absent["experiment"]).keys()
    found = {(claim.verdict, claim.reason) for claim in claims.values()}
    assert found == {("not measured", "none here")}


def test_rules_name_questions_and_published_statements_that_exist_and_each_is_shown() -> None:
    named = set()
    for absent in ABSENT:
        made = (rule for make in RULES[absent["experiment"]] for rule in make(absent, Values({})))
        for statement in (rule.statement for rule in made):
            assert statement.question in QUESTIONS, statement.id
            named |= {*statement.like, *statement.against}
    known = {one["id"] for one in PUBLISHED}
    assert named <= {one["id"] for one in PUBLISHED if one.get("about")}, "what it is about"
    # Those with numbers stand below the answer to their question.
    assert {one["id"] for one in PUBLISHED if "values" not in one} <= named <= known


def test_rules_about_a_part_name_its_claims_and_values_without_their_prefix() -> None:
    values = Values({"made.up": counted(1), "made.part.up": counted(2)})
    claim = Rules({"status": "measured", "device": "cpu"}, values, "made", "a question")
    part = claim.with_prefix("part")
    made = [
        claim.rule("whole", "It is one.", claim.equals("up", 1)),
        part.rule("half", "It is the whole's.", part.equals("up", 1)),
    ]
    assert [(one.id, one.verdict) for one in (rule() for rule in made)] == [
        ("made.whole", "confirmed"),
        ("made.part.half", "refuted"),
    ]


def test_every_module_of_claims_is_judged_and_about_an_experiment_that_is_analysed() -> None:
    defining = modules_with("def rules(record", "labs")
    assert defining == {make.__module__ for makes in RULES.values() for make in makes}
    assert set(RULES) == {analysis.experiment for analysis in analyses()}


def test_an_unknown_experiment_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "unheard_of.json"
    records.write(records.not_measured("unheard_of", "cpu", "there is none"), path)
    with pytest.raises(RecordError) as error:
        evaluate(path, tmp_path)
    assert str(error.value) == f"{path}: no claims are about the experiment unheard_of"


@pytest.mark.parametrize("name", [LOOP, "quantization", "search"])
def test_claims_are_objects_of_the_schema_whose_evidence_exists(name: str, tmp_path: Path) -> None:
    path = tmp_path / "records" / "one.json"
    records.write(record(name), path)
    _, found = evaluate(path, tmp_path)
    rows = json.loads(json.dumps([claim.as_row() for claim in found.claims]))
    jsonschema.validate(rows, SCHEMA)
    assert all((tmp_path / row["evidence"]).is_file() for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_record_behind_a_link_is_named_as_it_was_given(tmp_path: Path) -> None:
    """Results may be a link to a larger disk."""
    root = tmp_path / "repository"
    root.mkdir()
    (tmp_path / "disk").mkdir()
    (root / "results").symlink_to(tmp_path / "disk")
    path = root / "results" / "record.json"
    records.write(record(FUSION), path)
    evidence, found = evaluate(path, root)
    assert {evidence} == {claim.evidence for claim in found.claims} == {"results/record.json"}


BUDGET = "the budget ended after 7 processes; the job's widest spread asked for 40"


@pytest.mark.parametrize(
    ("speedup", "spread", "verdict", "reason"),
    [
        (1.05, 0.3, "undecided", BUDGET),
        # What more processes would not decide is not put down to the budget.
        (1.02, 0, "undecided", MORE_WOULD_NOT_DECIDE),
        (0.98, 0, "undecided", MORE_WOULD_NOT_DECIDE),
        (1.0, 0, "no difference", ""),
        (1.1, 0, "confirmed", ""),
    ],
)
def test_an_undecided_claim_about_times_says_whether_the_budget_ended(
    speedup: float, spread: float, verdict: str, reason: str
) -> None:
    of = told(FUSION, "processes needed", 40)
    for row in matching(of, "samples", {"quantity": "steady", "dtype": "float32"}):
        # Each process's naive attention is slower by the spread than that of the one before.
        slower = {"fused": 1 / speedup, "naive": 1 + spread * row["process"]}
        row["seconds"] = [slower.get(row["arm"], 1.0)] * 5
    claims = judged(of)
    assert {claim.reason for claim in claims.values() if claim.verdict == "confirmed"} <= {""}
    found = claims["attention.cpu.float32.fused-faster"]
    assert (found.verdict, found.reason) == (verdict, reason)


def test_seeds_that_scatter_leave_a_way_to_train_undecided() -> None:
    """A mean above float32's is not enough where another seed could say otherwise."""
    eight, name = {**QAT, "format": "8:4"}, "quantization.qat-beats-float32"
    divided = answer(answered("quantization", 1.0, **eight), 0.4, process=0, **eight)
    assert judged(divided)[name].verdict == "undecided"


def test_l1_and_random_pruning_are_compared_as_a_family() -> None:
    """At nine tenths the interval alone would confirm; among all sparsities it does not."""
    found = judged(answered("pruning", 0.58, curve="l1", sparsity=0.9, epochs=0))
    claim = found["pruning.untrained.s90.l1-beats-random"]
    assert claim.estimate and claim.estimate.low > 0
    assert claim.verdict == "undecided"
    assert found["pruning.trained.s90.l1-beats-random"].verdict == "confirmed"


@pytest.mark.parametrize(
    ("lacking", "claim"),
    [
        ({"format": "4:2"}, "ptq-four-fails"),
        ({"curve": "epochs", "epochs": 1}, "one-epoch-suffices"),
    ],
)
def test_what_a_preset_does_not_run_is_not_measured(lacking: dict[str, Any], claim: str) -> None:
    less = record("quantization")
    gone = matching(less, "facts", lacking)
    less["facts"] = [row for row in less["facts"] if row not in gone]
    found = judged(less)
    assert found[f"quantization.{claim}"].verdict == "not measured"
    assert found["quantization.qat-eight-suffices"].verdict == "confirmed"


def test_gains_are_paired_by_review() -> None:
    """Two models that are right about the same reviews do not differ, whatever the sample."""
    paired = record("quantization")
    of_ptq = {"name": "correct", "arm": "PTQ", "curve": "widths", "split": "validation"}
    float32 = matching(paired, "facts", {**of_ptq, "format": "float32"})
    eight = matching(paired, "facts", {**of_ptq, "format": "8:4"})
    for rounded, exact in zip(eight, float32, strict=True):
        assert rounded["process"] == exact["process"]
        rounded["value"] = exact["value"]
    loss = values_of(paired)["quantization.PTQ.w8.loss"]
    assert loss.value == 0 and loss.high < 0.005


def test_the_best_of_several_is_judged_on_reviews_that_did_not_choose_it() -> None:
    """A point that is right on every other review seems the best, and is not."""
    right = {"lucky": [True, False] * 50, "other": [True, True, False, False] * 25}
    case = {"arm": "QAT", "split": "validation"}
    facts = [
        fact(0, "correct", pack(np.array(answers)), "text", point=name, **case)
        for name, answers in right.items()
    ]
    record = {"experiment": "quantization", "facts": facts}
    lucky, other = {"point": "lucky"}, {"point": "other"}
    best, lead = quantization.best_against(record, [lucky, other], other)
    assert best == lucky
    assert lead.value == pytest.approx(-0.5)
