"""What a finished run did: where it wrote, what it left alone, and that timing jobs ran alone."""

from __future__ import annotations

import json
import re

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
    assert timed == 7


def test_the_records_agree_that_timing_jobs_did_not_overlap(finished_run: Finished) -> None:
    records = [
        json.loads(path.read_text())
        for path in (finished_run.folder / "results" / "smoke" / "records").rglob("*.json")
    ]
    timed = [r for r in records if r["status"] == "measured" and r["samples"]]
    spans = sorted((r["started"], r["finished"]) for r in timed)
    assert len(spans) == 7
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


def test_a_run_leaves_nothing_behind_except_caches_of_tools(finished_run: Finished) -> None:
    assert listing(finished_run.temporary) == frozenset()
    # pip asks rustc for its version, and rustup's rustc then writes its settings.
    left = [name for name in listing(finished_run.home) if not name.startswith(".rustup/")]
    tools = {name.split("/")[1] for name in left}
    assert tools <= {"fontconfig", "matplotlib", "pip", "snakemake"}
