"""What a draft takes from a plan and from earlier runs: which records are missing, and why."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from reporting.draft.plan import Plan
from reporting.draft.records import missing_of
from reporting.draft.states import AGAIN, FAILED, INTERRUPTED, LINES, NOT_STARTED, History, tail
from reporting.missing import Missing
from tests.unit import synthetic

LORA, SEARCH, CPU = (
    f"results/quick/records/{name}.json" for name in ("lora", "search", "fusion/cpu")
)
PART = "results/quick/parts/search/0.json"
LOG = "logs/quick/train_lora.log"
# As a dry run of Snakemake prints it; where a line ends with spaces, so does Snakemake's.
JOB = "\n".join(
    [
        "[Sun Nov 22 10:00:00 2026]",
        "Job 7: {title}",
        "Reason: {reason}",
        "Shell command: ",
        "        PYTHONPATH=results/build python scripts/run_unchanged.py abc scripts/{program}.py"
        "             --reason 'two words' {flags}             2>&1 | tee {log}",
        "        ",
        "",
    ]
)


def planned(title: str, reason: str, program: str, flags: str, log: str) -> str:
    """What a dry run prints of a job."""
    return JOB.format(title=title, reason=reason, program=program, flags=flags, log=log)


TRAIN = planned("Training", f"Missing output files: {LORA}", "train_lora", f"--output {LORA}", LOG)
PARTS = planned(
    "Searching", f"Missing output files: {PART}", "search", f"--output {PART}", "logs/part.log"
)
GATHER = planned(
    "Gathering",
    f"Missing output files: {SEARCH}; Input files updated by another job: {PART}, data.csv",
    "gather_records",
    f"--parts {PART} --output {SEARCH}",
    "logs/gather.log",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, text: str = "") -> None:
    """Write a file of a run."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def fails(output: str, log: str, said: str) -> None:
    """Leave what a failed job leaves."""
    put(log, said)
    error = f"Error in rule x:\n    message: None\n    output: {output}\n    log: {log}\n"
    put(f".snakemake/log/{Path(log).stem}.snakemake.log", error)


def begins(output: str) -> None:
    """Leave what a job leaves that began and did not end."""
    put(f".snakemake/incomplete/{base64.urlsafe_b64encode(output.encode()).decode()}", "{}")


def lacked(paths: list[str], *jobs: str) -> list[Missing]:
    """What is missing of records, where the next run does these jobs."""
    return missing_of(paths, Plan("".join(jobs)), History(Path(".snakemake")))


def test_a_job_is_read_from_what_snakemake_prints() -> None:
    (job,) = Plan(GATHER).jobs
    assert (job.title, job.program, job.log) == (
        "Gathering",
        "scripts/gather_records.py",
        "logs/gather.log",
    )
    assert job.flags == {"--reason": ["two words"], "--parts": [PART], "--output": [SEARCH]}
    assert job.outputs == {SEARCH}
    assert job.awaits == {PART, "data.csv"}


def test_a_job_waits_for_those_that_make_its_inputs() -> None:
    plan = Plan(TRAIN + PARTS + GATHER)
    gathering = plan.running("gather_records")
    assert [job.title for job in plan.behind(gathering)] == ["Searching"]
    assert plan.behind(plan.running("train_lora")) == []


def test_a_record_that_is_there_and_current_is_not_missing(folder: Path) -> None:
    put(LORA, json.dumps(synthetic.record("lora", {})))
    assert lacked([LORA]) == []


def test_a_record_whose_job_has_not_started_is_missing(folder: Path) -> None:
    (record,) = lacked([LORA], TRAIN)
    assert (record.path, record.why) == (LORA, "There is no record.")
    (job,) = record.jobs
    assert (job.title, job.state, job.log, job.tail) == ("Training", NOT_STARTED, "", "")


def test_a_record_says_how_many_jobs_it_waits_for(folder: Path) -> None:
    (job,) = lacked([SEARCH], GATHER, PARTS)[0].jobs
    assert (job.title, job.state) == ("Gathering", f"{NOT_STARTED}; jobs before it: 1")


def test_a_failed_job_comes_with_the_end_of_its_log(folder: Path) -> None:
    fails(LORA, LOG, "epoch one\nerror: no such luck\n")
    (job,) = lacked([LORA], TRAIN)[0].jobs
    assert (job.state, job.log, job.tail) == (FAILED, LOG, "epoch one\nerror: no such luck")


def test_a_job_that_began_and_did_not_end_was_interrupted_or_is_running(folder: Path) -> None:
    fails(LORA, LOG, "epoch two\n")
    begins(LORA)
    (job,) = lacked([LORA], TRAIN)[0].jobs
    assert (job.state, job.tail) == (INTERRUPTED, "epoch two")


def test_a_record_that_was_deleted_is_not_said_to_have_failed(folder: Path) -> None:
    put(LOG, "all went well\n")
    (job,) = lacked([LORA], TRAIN)[0].jobs
    assert (job.state, job.tail) == (AGAIN, "")


def test_a_record_names_the_failed_job_that_it_waits_for(folder: Path) -> None:
    fails(PART, "logs/part.log", "error: the disk is full\n")
    (job,) = lacked([SEARCH], GATHER, PARTS)[0].jobs
    assert (job.title, job.state, job.tail) == ("Searching", FAILED, "error: the disk is full")


def test_of_many_failed_jobs_some_logs_are_shown_and_all_are_named(folder: Path) -> None:
    parts = [f"part{n}.json" for n in range(5)]
    jobs = [
        planned(p, f"Missing output files: {p}", "x", f"--output {p}", f"logs/{p}.log")
        for p in parts
    ]
    for part in parts:
        fails(part, f"logs/{part}.log", "error")
    reason = f"Input files updated by another job: {', '.join(parts)}"
    gather = planned("Gathering", reason, "gather_records", f"--output {SEARCH}", "logs/g.log")
    found = lacked([SEARCH], gather, *jobs)[0].jobs
    assert [job.title for job in found] == parts
    assert [job.log for job in found] == [f"logs/{part}.log" for part in parts]
    assert [bool(job.tail) for job in found] == [True, True, True, False, False]


def test_a_record_that_the_next_run_measures_again_is_missing(folder: Path) -> None:
    put(LORA, json.dumps(synthetic.record("lora", {})))
    changed = planned("Training", "Params have changed", "train_lora", f"--output {LORA}", LOG)
    (record,) = lacked([LORA], changed)
    assert "the next run measures it again" in record.why


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"a":', "is not JSON"),
        ('{"experiment": "lora"}', "field the record: 'device' is a required property"),
        (json.dumps(synthetic.record("alchemy", {})), "no claims are about alchemy"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_and_missing(
    folder: Path, content: str, why: str
) -> None:
    put(LORA, content)
    (record,) = lacked([LORA])
    assert record.path == LORA
    assert record.why.startswith("The record cannot be used") and why in record.why


def test_a_missing_record_knows_what_would_come_from_it(folder: Path) -> None:
    (fusion,) = lacked([CPU])
    assert fusion.device == "cpu"
    assert fusion.questions == ["lab4-2a"]
    assert fusion.says("attention.cpu.float32.speedup") and fusion.says("linear_relu.cpu.x")
    assert fusion.fills("attention_sweep", "cpu") and fusion.draws("attention_memory_cpu")
    (lora,) = lacked([LORA])
    assert (lora.device, lora.questions) == (None, ["lab0-3"])
    assert lora.fills("lora_arms", None) and lora.draws("lora_accuracy")


def test_a_log_is_cut_to_its_last_lines_in_plain_characters(folder: Path) -> None:
    lines = [f"line {n}" for n in range(50)]
    put(LOG, "\n".join(lines) + "\n\n\x1b[31mred\x1b[0m \u2713\rdone\x07 \n")
    assert tail(LOG).splitlines() == [*lines[-(LINES - 2) :], "red \\u2713", "done"]
