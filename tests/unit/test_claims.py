"""A verdict follows the data: the same statement is confirmed by one record, refuted by another."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from labs.analysis.frame import Value, exactly
from labs.analysis.tables import ANALYSES
from labs.claims.claim import MORE_WOULD_NOT_DECIDE
from labs.claims.judge import RULES, claims_of, judge
from labs.claims.rules import Rules
from labs.records import record as records
from labs.records.reading import RecordError
from tests.unit import synthetic

ROOT = Path(__file__).parents[2]
PUBLISHED = yaml.safe_load((ROOT / "report" / "published.yaml").read_text())["statements"]
QUESTIONS = {row["id"] for row in yaml.safe_load((ROOT / "report" / "questions.yaml").read_text())}
SCHEMA = yaml.safe_load((ROOT / "workflow" / "schemas" / "claims.schema.yaml").read_text())


def verdicts(record: dict[str, Any]) -> dict[str, str]:
    """The verdict of each claim by the end of its id."""
    return {claim.id.split(".cpu.")[-1]: claim.verdict for claim in claims_of(record)}


@pytest.mark.parametrize(
    ("record", "claim", "verdict"),
    [
        (synthetic.compilation(compiled=0.5), "corrected-faster", "confirmed"),
        (synthetic.compilation(compiled=2.0), "corrected-faster", "refuted"),
        (synthetic.compilation(compiled=1.0), "corrected-faster", "no difference"),
        (synthetic.compilation(first_call=20.0), "lab-code-slower", "confirmed"),
        (synthetic.compilation(first_call=0.5), "lab-code-slower", "refuted"),
        (synthetic.compilation(first_call=20.0), "pays-back", "confirmed"),
        (synthetic.compilation(first_call=2000.0), "pays-back", "refuted"),
        (synthetic.compilation(first_call=20.0), "few-pay", "refuted"),
        (synthetic.compilation(first_call=0.6), "few-pay", "confirmed"),
        (synthetic.compilation_modes(compiled=0.5), "corrected-faster", "confirmed"),
        (synthetic.compilation_modes(compiled=2.0), "corrected-faster", "refuted"),
        (synthetic.compilation(recompilations=0), "recompiles", "refuted"),
        (synthetic.compilation(recompilations=2), "recompiles", "confirmed"),
        (synthetic.fusion({"float32": 2.0}), "float32.fused-faster", "confirmed"),
        (synthetic.fusion({"float32": 0.5}), "float32.fused-faster", "refuted"),
        (synthetic.fusion({"float32": 2.0, "float16": 0.5}), "dtype-decides", "confirmed"),
        (synthetic.fusion({"float32": 2.0, "float16": 2.0}), "dtype-decides", "refuted"),
        (synthetic.fusion(lab_check_passes=True), "lab-check-blind", "confirmed"),
        (synthetic.fusion(lab_check_passes=False), "lab-check-blind", "refuted"),
        (synthetic.fusion(linear_gain=2.0), "float32.compiled-faster", "confirmed"),
        (synthetic.fusion(linear_gain=0.5), "float32.compiled-faster", "refuted"),
        (synthetic.fusion(relu=0.0001), "float32.little-to-gain", "confirmed"),
        (synthetic.fusion(relu=0.005), "float32.little-to-gain", "refuted"),
        (synthetic.graphs(left=0), "mask-expansion-vanishes", "confirmed"),
        (synthetic.graphs(left=3), "mask-expansion-vanishes", "refuted"),
        (synthetic.graphs(removed=0), "none-left", "confirmed"),
        (synthetic.graphs(removed=1), "none-left", "refuted"),
        (synthetic.graphs(removed=0), "nothing-else-removed", "confirmed"),
        (synthetic.graphs(removed=1), "nothing-else-removed", "refuted"),
        (synthetic.graphs(differing=0), "reload-exact", "confirmed"),
        (synthetic.graphs(differing=1), "reload-exact", "refuted"),
        (synthetic.graphs(differing=0), "padding-matters", "refuted"),
        (synthetic.graphs(differing=1), "padding-matters", "confirmed"),
        (synthetic.graphs(differing=0), "labels-add-the-loss", "confirmed"),
        (synthetic.graphs(differing=1), "labels-add-the-loss", "refuted"),
        (synthetic.graphs(), "six-dropouts", "refuted"),
        (synthetic.graphs(), "parameters-add-up", "confirmed"),
        (synthetic.graphs(), "erasing-raises", "confirmed"),
        (synthetic.graphs(error=""), "erasing-raises", "refuted"),
    ],
)
def test_the_verdict_follows_the_data(record: dict[str, Any], claim: str, verdict: str) -> None:
    assert verdicts(record)[claim] == verdict


def test_a_number_format_that_was_not_run_is_not_measured() -> None:
    found = verdicts(synthetic.fusion({"float32": 2.0}))
    assert found["float16.fused-faster"] == "not measured"
    assert found["dtype-decides"] == "not measured"


@pytest.mark.parametrize("experiment", RULES)
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_an_absent_device_makes_the_same_claims_not_measured(experiment: str, device: str) -> None:
    absent = records.not_measured(experiment, device, "there is none")
    claims = claims_of(absent)
    assert claims
    assert {claim.verdict for claim in claims} == {"not measured"}
    assert {claim.reason for claim in claims} == {"there is none"}


@pytest.mark.parametrize("experiment", RULES)
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_rules_name_questions_and_published_statements_that_exist(
    experiment: str, device: str
) -> None:
    known = {statement["id"] for statement in PUBLISHED}
    absent = records.not_measured(experiment, device, "there is none")
    statements = [rule.statement for make in RULES[experiment] for rule in make(absent)]
    assert statements
    for statement in statements:
        assert statement.question in QUESTIONS
        assert set(statement.like) | set(statement.against) <= known, statement.id


def test_every_published_statement_can_be_shown() -> None:
    absent = [
        records.not_measured(experiment, device, "there is none")
        for experiment in RULES
        for device in ("cpu", "cuda")
    ]
    rules = [
        rule for record in absent for make in RULES[record["experiment"]] for rule in make(record)
    ]
    named = {name for rule in rules for name in (*rule.statement.like, *rule.statement.against)}
    # Those with numbers stand below the answer to their question.
    assert [one["id"] for one in PUBLISHED if one["id"] not in named and "values" not in one] == []


def test_values_are_computed_once_for_a_record_and_its_parts() -> None:
    asked = []

    def values(record: dict[str, Any]) -> dict[str, Value]:
        asked.append(record["device"])
        return {"made.up": exactly(1, "count"), "made.part.up": exactly(2, "count")}

    claim = Rules({"status": "measured", "device": "cpu"}, "made", "a question", values)
    part = claim.part("part")
    rules = [
        claim.rule("whole", "It is one.", claim.equals("up", 1)),
        part.rule("half", "It is the whole's.", part.equals("up", 1)),
    ]
    assert asked == []
    claims = [rule() for rule in rules]
    assert [(one.id, one.verdict) for one in claims] == [
        ("made.whole", "confirmed"),
        ("made.part.half", "refuted"),
    ]
    assert asked == ["cpu"]


def test_every_module_of_claims_is_judged() -> None:
    scripts = ROOT / "scripts"
    defining = {
        ".".join(path.relative_to(scripts).with_suffix("").parts)
        for path in (scripts / "labs" / "claims").rglob("*.py")
        if "\ndef rules(" in path.read_text()
    }
    assert defining == {make.__module__ for makes in RULES.values() for make in makes}


def test_claims_and_analyses_are_about_the_same_experiments() -> None:
    assert set(RULES) == {analysis.experiment for analysis in ANALYSES}


def test_an_unknown_experiment_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "unheard_of.json"
    records.write(records.not_measured("unheard_of", "cpu", "there is none"), path)
    with pytest.raises(RecordError) as error:
        judge(path, tmp_path, "this machine")
    assert str(error.value) == f"{path}: no claims are about the experiment unheard_of"


def test_claims_are_objects_of_the_schema_whose_evidence_exists(tmp_path: Path) -> None:
    path = tmp_path / "records" / "resnet18.cpu.json"
    records.write(synthetic.compilation(), path)
    rows = judge(path, tmp_path, "this machine")
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
    records.write(synthetic.fusion(), path)
    assert {row["evidence"] for row in judge(path, root, "this machine")} == {"results/record.json"}


def test_a_refuted_statement_contradicts_those_who_published_it() -> None:
    (claim,) = (
        claim
        for claim in claims_of(synthetic.fusion({"float32": 0.5}))
        if claim.id.endswith("float32.fused-faster")
    )
    assert "A-attention-always-faster-cpu" in claim.speaks_against


def test_an_undecided_claim_about_times_says_that_the_budget_ended() -> None:
    record = synthetic.fusion({"float32": 1.05})
    for row in record["samples"]:
        if row["arm"] == "naive":
            row["seconds"] = [second * (1 + 0.3 * row["process"]) for second in row["seconds"]]
    record["facts"] = [
        *record["facts"],
        synthetic.fact(2, "processes needed", 40, "count", "every arm"),
    ]
    claims = {claim.id.split(".cpu.")[-1]: claim for claim in claims_of(record)}
    undecided = claims["float32.fused-faster"]
    assert undecided.verdict == "undecided"
    assert undecided.reason == (
        "the budget ended after 3 processes; the job's widest spread asked for 40"
    )
    assert {claim.reason for claim in claims.values() if claim.verdict == "confirmed"} == {""}


@pytest.mark.parametrize("speedup", [1.02, 1.03, 0.98])
def test_what_more_processes_would_not_decide_is_not_put_down_to_the_budget(speedup: float) -> None:
    record = synthetic.fusion({"float32": speedup})
    record["facts"] = [
        *record["facts"],
        synthetic.fact(2, "processes needed", 40, "count", "every arm"),
    ]
    claims = {claim.id.split(".cpu.")[-1]: claim for claim in claims_of(record)}
    undecided = claims["float32.fused-faster"]
    assert undecided.verdict == "undecided"
    assert undecided.reason == MORE_WOULD_NOT_DECIDE


@pytest.mark.parametrize(("speedup", "verdict"), [(1.0, "no difference"), (1.1, "confirmed")])
def test_what_a_run_decides_has_no_reason(speedup: float, verdict: str) -> None:
    claims = {
        claim.id.split(".cpu.")[-1]: claim
        for claim in claims_of(synthetic.fusion({"float32": speedup}))
    }
    assert claims["float32.fused-faster"].verdict == verdict
    assert claims["float32.fused-faster"].reason == ""
