"""Two runs of make report do not overlap; a job that is edited or fails leaves nothing."""

import fcntl

from tests.checkout import REPORT, SMOKE, Checkout, fails, wait_until


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
