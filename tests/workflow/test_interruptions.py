"""A killed run continues; two runs of make report do not overlap; timing is never retried."""

import fcntl
import os
import re
import signal

from tests.workflow.checkout import SMOKE, Checkout, fails, wait_until

# A copy has no .venv: make is told that it is up to date, and uses the programs of this one.
REPORT = ("make", "--old-file", ".venv/up-to-date", "report", "PRESET=smoke")


def test_a_killed_run_continues_with_what_is_unfinished(finished_copy: Checkout) -> None:
    copy = finished_copy
    record = copy.folder / "results/smoke/records/graphs.json"
    record.unlink()
    output = copy.folder.parent / "first.log"
    first = copy.start(output, *REPORT)
    wait_until(lambda: "Tracing the graphs" in output.read_text(), output)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    assert not record.exists()

    second = copy.run(*REPORT)

    assert second.returncode == 0, second.stdout[-3000:]
    assert record.exists()
    assert "Tracing the graphs" in second.stdout
    assert "Timing " not in second.stdout
    assert "The report: results/smoke/report/report.pdf" in second.stdout
    assert re.search(r"^About (a minute|\d+ minutes) left\.$", second.stdout, flags=re.M)


def test_a_second_run_of_make_report_is_refused(fresh: Checkout) -> None:
    lock = fresh.folder / ".snakemake" / "make.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = fresh.run(*REPORT)
    assert done.returncode != 0
    assert "Another make report is running in this folder." in done.stdout
    assert "Building DAG" not in done.stdout


def test_code_that_is_edited_while_its_job_runs_leaves_no_record(fresh: Checkout) -> None:
    record = "results/smoke/records/graphs.json"
    output = fresh.folder.parent / "edited.log"
    duration = fresh.folder / "logs/smoke/trace_graphs.json"
    duration.parent.mkdir(parents=True, exist_ok=True)
    duration.touch()
    job = fresh.start(output, "snakemake", "--cores", "2", record, *SMOKE)
    # A job that starts deletes it, once it has found its code unchanged.
    wait_until(lambda: not duration.exists(), output)
    with fresh.edited("# edited\n", "scripts/labs/experiments/graphs/passes.py"):
        job.wait()
    said = output.read_text()
    assert job.returncode == 1, said
    assert "the code of scripts/trace_graphs.py has changed" in said
    assert not (fresh.folder / record).exists()


def test_a_failed_timing_job_is_not_retried(fresh: Checkout) -> None:
    record = "results/smoke/records/fusion/cpu.json"
    with fresh.edited(fails, "scripts/measure_fusion.py"):
        done = fresh.run("snakemake", "--cores", "2", "--retries", "3", record, *SMOKE)
    assert done.returncode == 1
    assert done.stdout.count("Timing kernel fusion") == 1
    assert "error: no such luck" in done.stdout
    assert not (fresh.folder / record).exists()
