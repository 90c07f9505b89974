"""make draft after a failed run: what it says, and that it changes nothing else."""

from dataclasses import dataclass

import pytest

from tests.checkout import MAKE, SMOKE, Checkout, checkout, contents, fails

GRAPHS = "results/smoke/records/graphs.json"


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
    with copy.edited(fails, "scripts/trace_graphs.py"):
        failed = copy.run("snakemake", "--cores", "2", GRAPHS, *SMOKE)
    assert failed.returncode == 1, failed.stdout
    before = contents(copy.folder)
    done = copy.run(*MAKE, "draft")
    assert done.returncode == 0, done.stdout
    return Drafted(copy, failed.stdout, done.stdout, before)


def test_a_failed_run_names_make_draft(drafted: Drafted) -> None:
    assert "make draft PRESET=smoke reports what there is" in drafted.failed


def test_the_failed_job_stands_in_the_place_of_the_answer_with_its_log(drafted: Drafted) -> None:
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


def test_a_draft_writes_its_own_folder_alone_and_the_next_run_is_what_it_would_have_been(
    drafted: Drafted,
) -> None:
    before, after = drafted.before, contents(drafted.copy.folder)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    own = "results/smoke/draft/"
    # A dry run of Snakemake leaves the others.
    where = (own, ".snakemake/log/", ".snakemake/iocache/")
    assert {name for name in changed if not name.startswith(where)} == set()
    assert f"{own}records/graphs.json" in changed
