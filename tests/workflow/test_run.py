"""What a finished run did: where it wrote, what it left alone, and that timing jobs ran alone."""

import csv
import json
import re
import shlex
from importlib.metadata import version

import pytest

from labs.records.reading import read
from tests.checkout import SMOKE, Finished, contents, listing
from tests.report.evidence import plain

RECORDS = "results/smoke/records/**/*.json"
EVENT = re.compile(r"^Job (?P<started>\d+): (?P<what>.*)$|^Finished jobid: (?P<ended>\d+)", re.M)


def test_the_last_lines_say_where_the_report_is_in_all_formats(finished_run: Finished) -> None:
    report = finished_run.folder / "results" / "smoke" / "report"
    formats = {"report.pdf", "report.html", "claims.json"}
    assert {path.name for path in report.iterdir()} == formats
    assert "The report: results/smoke/report/report.pdf" in finished_run.output
    assert re.search(r"Questions answered: \d+ of \d+", finished_run.output)


def test_a_gpu_that_torch_cannot_use_is_not_measured_and_the_report_says_why(
    finished_run: Finished,
) -> None:
    results = finished_run.folder / "results" / "smoke"
    reason = "an NVIDIA GPU is there, but torch "
    records = list(results.glob("records/*/cuda.json"))
    assert records
    for record in records:
        assert read(record)["status"].startswith(f"not measured: {reason}")
    assert f"Not measured on cuda: {reason}" in plain((results / "report/report.html").read_text())


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


def test_a_run_writes_its_own_folders_and_caches_of_tools_alone(finished_run: Finished) -> None:
    new = listing(finished_run.folder) - finished_run.before
    assert {name.split("/")[0] for name in new} == {"results", "logs", ".snakemake"}
    assert contents(finished_run.folder / "results" / "quick") == finished_run.quick
    assert listing(finished_run.temporary) == frozenset()
    # pip asks rustc for its version, and rustup's rustc then writes its settings.
    left = [name for name in listing(finished_run.home) if not name.startswith(".rustup/")]
    tools = {name.split("/")[1] for name in left}
    assert tools <= {"fontconfig", "matplotlib", "pip", "snakemake"}


def test_records_say_what_was_imported_from_a_clean_checkout(finished_run: Finished) -> None:
    records = [json.loads(path.read_text()) for path in finished_run.folder.glob(RECORDS)]
    places = [record["environment"] for record in records if record["status"] == "measured"]
    assert {place["packages"]["transformers"] for place in places} == {version("transformers")}
    assert {place["changes"] for place in places} == {"clean"}


def test_every_job_leaves_a_log(finished_run: Finished) -> None:
    logs = finished_run.folder / "logs" / "smoke"
    rules = {path.relative_to(logs).parts[0].removesuffix(".log") for path in logs.rglob("*.log")}
    assert {"measure_fusion", "measure_compilation", "evaluate_records", "render_pdf"} <= rules


@pytest.mark.parametrize(
    ("record", "rule"), [("ranges.json", "measure_ranges"), ("pruning.json", "prune_model")]
)
def test_the_command_that_the_report_gives_measures_a_record_again(
    finished_run: Finished, record: str, rule: str
) -> None:
    with (finished_run.folder / "results/smoke/tables/jobs.csv").open() as file:
        commands = {row["record"]: row["command"] for row in csv.DictReader(file)}
    command = commands[f"results/smoke/records/{record}"]
    assert command.startswith("snakemake --cores 4 --config preset=smoke --force")
    program, *arguments = shlex.split(command)
    done = finished_run.run(program, "--dry-run", "--nolock", *arguments)
    jobs = re.findall(r"^(\w+) +\d+$", done.stdout, flags=re.M)
    assert rule in jobs, done.stdout
    assert "train_base_model" not in jobs


def test_snakemakes_own_report_shows_every_result_with_a_caption(finished_run: Finished) -> None:
    options = ("--nolock", "--report", "../snakemake.html")
    done = finished_run.run("snakemake", "--cores", "1", *SMOKE, *options)
    assert done.returncode == 0, done.stdout
    page = (finished_run.folder.parent / "snakemake.html").read_text()
    for category in ("Report", "Claims", "Tables", "Figures"):
        assert f'"{category}"' in page
    for name in ("report.pdf", "claims.json", "values.csv", "search_samplers.svg"):
        assert f'"name": "{name}"' in page
    assert "What its rule made, from the inputs" in page
