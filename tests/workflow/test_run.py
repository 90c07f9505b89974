"""What a finished run did: where it wrote, what it left alone, and that timing jobs ran alone."""

from __future__ import annotations

import csv
import json
import re
import shlex

import pytest

from tests.workflow.checkout import SMOKE, Finished, contents, listing

EVENT = re.compile(r"^Job (?P<started>\d+): (?P<what>.*)$|^Finished jobid: (?P<ended>\d+)", re.M)


def test_the_report_exists_in_all_formats(finished_run: Finished) -> None:
    report = finished_run.folder / "results" / "smoke" / "report"
    assert {path.name for path in report.iterdir()} == {
        "report.pdf",
        "report.html",
        "claims.json",
    }


def test_the_last_lines_say_where_the_report_is(finished_run: Finished) -> None:
    assert "The report: results/smoke/report/report.pdf" in finished_run.output
    assert re.search(r"Questions answered: \d+ of \d+", finished_run.output)


def test_the_duration_of_every_job_is_known_afterwards(finished_run: Finished) -> None:
    done = finished_run.run("python", "scripts/estimate.py", "--cores", "4", *SMOKE)
    jobs, with_duration = map(int, re.findall(r"\d+", done.stdout.splitlines()[0]))
    assert jobs == with_duration > 40, done.stdout
    assert "Not known" not in done.stdout


def test_timing_jobs_run_alone_under_four_cores(finished_run: Finished) -> None:
    running: dict[str, str] = {}
    timed = 0
    for event in EVENT.finditer(finished_run.output):
        if event["ended"]:
            running.pop(event["ended"], None)
            continue
        running[event["started"]] = event["what"]
        timing = [what for what in running.values() if what.startswith("Timing ")]
        assert not timing or len(running) == 1, running
        timed += event["what"].startswith("Timing ")
    assert timed == 8


def test_the_records_agree_that_timing_jobs_did_not_overlap(finished_run: Finished) -> None:
    results = finished_run.folder / "results" / "smoke"
    # The times of LoRA are a part of its record, whose other parts are trained beside other jobs.
    paths = {*(results / "records").rglob("*.json"), results / "parts" / "lora" / "speed.json"}
    records = [json.loads(path.read_text()) for path in paths - {results / "records" / "lora.json"}]
    timed = [r for r in records if r["status"] == "measured" and r["samples"]]
    spans = sorted((r["started"], r["finished"]) for r in timed)
    assert len(spans) == 8
    for earlier, later in zip(spans, spans[1:], strict=False):
        assert earlier[1] <= later[0]


def test_a_smoke_run_leaves_the_results_of_another_preset_alone(finished_run: Finished) -> None:
    assert contents(finished_run.folder / "results" / "quick") == finished_run.quick


def test_nothing_is_written_outside_results_logs_and_snakemakes_folder(
    finished_run: Finished,
) -> None:
    new = listing(finished_run.folder) - finished_run.before
    assert {name.split("/")[0] for name in new} == {"results", "logs", ".snakemake"}


def test_every_job_leaves_a_log(finished_run: Finished) -> None:
    logs = finished_run.folder / "logs" / "smoke"
    rules = {path.relative_to(logs).parts[0].removesuffix(".log") for path in logs.rglob("*.log")}
    assert {"measure_fusion", "measure_compilation", "make_tables", "render_pdf"} <= rules


@pytest.mark.parametrize(
    ("record", "rule"),
    [("ranges.json", "measure_ranges"), ("pruning.json", "prune_model")],
)
def test_the_command_that_the_report_gives_measures_a_record_again(
    finished_run: Finished, record: str, rule: str
) -> None:
    with (finished_run.folder / "results/smoke/tables/jobs.csv").open() as file:
        commands = {row["record"]: row["command"] for row in csv.DictReader(file)}
    command = commands[f"results/smoke/records/{record}"]
    assert command.startswith("snakemake --cores 4 --config preset=smoke 'devices=[cpu]' --force")
    program, *arguments = shlex.split(command)
    done = finished_run.run(program, "--dry-run", "--nolock", *arguments)
    jobs = re.findall(r"^(\w+) +\d+$", done.stdout, flags=re.M)
    assert rule in jobs, done.stdout
    assert "train_base_model" not in jobs


def test_snakemakes_own_report_shows_every_result_with_a_caption(finished_run: Finished) -> None:
    done = finished_run.run(
        "snakemake", "--cores", "1", *SMOKE, "--nolock", "--report", "../snakemake.html"
    )
    assert done.returncode == 0, done.stdout
    page = (finished_run.folder.parent / "snakemake.html").read_text()
    for category in ("Report", "Claims", "Tables", "Figures"):
        assert f'"{category}"' in page
    for name in ("report.pdf", "claims.json", "values.csv", "search_samplers.svg"):
        assert f'"name": "{name}"' in page
    assert "A figure of the report, drawn from the tables" in page


def test_a_run_leaves_nothing_behind_except_caches_of_tools(finished_run: Finished) -> None:
    assert listing(finished_run.temporary) == frozenset()
    # pip asks rustc for its version, and rustup's rustc then writes its settings.
    left = [name for name in listing(finished_run.home) if not name.startswith(".rustup/")]
    tools = {name.split("/")[1] for name in left}
    assert tools <= {"fontconfig", "matplotlib", "pip", "snakemake"}
