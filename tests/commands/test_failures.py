"""A run that fails or is interrupted leaves a log alone, and a draft reports what there is."""

import fcntl
from dataclasses import dataclass

import pytest

from tests.checkout import MAKE, REPORT, SMOKE, Checkout, checkout, contents, fails, wait_until

GRAPHS = "results/smoke/records/graphs.json"


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
    output = fresh.folder.parent / "edited.log"
    duration = fresh.folder / "logs/smoke/trace_graphs.json"
    duration.parent.mkdir(parents=True, exist_ok=True)
    duration.touch()
    job = fresh.start(output, "snakemake", "--cores", "2", GRAPHS, *SMOKE)
    # A job that starts deletes it, once it has found its code unchanged.
    wait_until(lambda: not duration.exists(), output)
    with fresh.edited("# edited\n", "scripts/labs/experiments/graphs/passes.py"):
        job.wait()
    said = output.read_text()
    assert job.returncode == 1, said
    assert "the code of scripts/labs/experiments/graphs/observe.py has changed" in said
    assert not (fresh.folder / GRAPHS).exists()


def test_a_failed_timing_job_is_not_retried(fresh: Checkout) -> None:
    record = "results/smoke/records/fusion/cpu.json"
    with fresh.edited(fails, "scripts/labs/experiments/fusion/observe.py"):
        done = fresh.run("snakemake", "--cores", "2", "--retries", "3", record, *SMOKE)
    assert done.returncode == 1
    assert done.stdout.count("Timing kernel fusion") == 1
    assert "error: no such luck" in done.stdout
    assert not (fresh.folder / record).exists()


@dataclass(frozen=True)
class Drafted:
    """A copy with a draft after a failed run, what either said, and what there was between."""

    copy: Checkout
    failed: str
    output: str
    before: dict[str, tuple[bytes, int]]

    @property
    def html(self) -> str:
        return (self.copy.folder / "results/smoke/draft/report/report.html").read_text()

    def answer(self, question: str) -> str:
        """What stands in the place of the answer to a question."""
        _, found = self.html.split(f'<section class="answer" id="{question}"')
        return found.partition("</section>")[0]


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Drafted:
    copy = checkout(tmp_path_factory.mktemp("drafted"))
    with copy.edited(fails, "scripts/labs/experiments/graphs/observe.py"):
        failed = copy.run("snakemake", "--cores", "2", GRAPHS, *SMOKE)
    assert failed.returncode == 1, failed.stdout
    before = contents(copy.folder)
    done = copy.run(*MAKE, "draft")
    assert done.returncode == 0, done.stdout
    return Drafted(copy, failed.stdout, done.stdout, before)


def test_a_failed_run_names_make_draft_which_answers_with_the_jobs_log(drafted: Drafted) -> None:
    assert "make draft PRESET=smoke reports what there is" in drafted.failed
    answer = drafted.answer("lab0-1")
    assert f"<code>{GRAPHS}</code>" in answer
    assert "“Tracing the graphs of BERT-tiny” failed, or was interrupted" in answer
    assert "logs/smoke/trace_graphs.log:\nerror: no such luck" in answer


def test_a_job_that_has_not_started_is_not_said_to_have_failed(drafted: Drafted) -> None:
    assert "Gathering the parts of lora" in drafted.answer("lab0-3")
    assert "has not started yet; jobs before it: " in drafted.answer("lab0-3")


def test_where_nothing_was_measured_a_draft_says_so(drafted: Drafted) -> None:
    assert "none has measured yet" in drafted.html
    assert "The draft: results/smoke/draft/report/report.pdf" in drafted.output
    pdf = drafted.copy.folder / "results/smoke/draft/report/report.pdf"
    assert pdf.read_bytes().startswith(b"%PDF")


def test_a_draft_writes_its_own_folder_alone(drafted: Drafted) -> None:
    before, after = drafted.before, contents(drafted.copy.folder)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    own = "results/smoke/draft/"
    # A dry run of Snakemake leaves the others.
    where = (own, ".snakemake/log/", ".snakemake/iocache/")
    assert {name for name in changed if not name.startswith(where)} == set()
    assert f"{own}records/graphs.json" in changed
