"""What is deleted, damaged or edited by hand after a run, or killed, is made again by the next."""

import os
import re
import signal
from itertools import cycle

from tests.checkout import REPORT, SMOKE, Checkout, Finished, contents, wait_until
from tests.unit.test_altered import cut_off, edited_in_secret, made_a_folder
from tests.workflow.test_reruns import REPORTING

# A file of each kind, and the rule that makes it.
KINDS = {
    "records/graphs.json": "trace_graphs",
    "records/lora.json": "gather_parts",
    "records/fusion/cpu.json": "measure_fusion",
    "parts/pruning/0.json": "prune_model",
    "tables/values.csv": "evaluate_records",
    "figures/lora_accuracy.svg": "draw_figures",
    "report/claims.json": "evaluate_records",
    "report/report.html": "render_html",
    "report/report.pdf": "render_pdf",
}


def test_what_is_deleted_is_made_again(finished_run: Finished) -> None:
    with finished_run.without("results/smoke/records/graphs.json"):
        assert finished_run.planned() == {"trace_graphs": 1} | REPORTING


def test_what_is_damaged_is_kept_aside_and_made_again(finished_copy: Checkout) -> None:
    results = finished_copy.folder / "results" / "smoke"
    damages = zip(KINDS, cycle((cut_off, edited_in_secret, made_a_folder)), strict=False)
    for name, damage in damages:
        damage(results / name)
    before = contents(results)
    (library,) = (finished_copy.folder / "results/build").rglob("*.so")
    cut_off(library)

    # Two plan at once.
    said = [finished_copy.folder.parent / f"{number}.log" for number in range(2)]
    plans = [finished_copy.start(log, "snakemake", "-n", "--nolock", *SMOKE) for log in said]
    assert [plan.wait() for plan in plans] == [0, 0]

    both = "".join(log.read_text() for log in said)
    for name in KINDS:
        assert both.count(f"results/smoke/{name} is not as it was made") == 1
        assert (results / f"{name}.altered").exists()
    after = {name.replace(".altered", ""): kept for name, kept in contents(results).items()}
    assert after == before, "nothing else has changed"
    assert {*KINDS.values(), "build_mxint_cuda"} <= finished_copy.planned().keys()


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


def test_a_draft_of_a_finished_run_lacks_what_was_lost_since(finished_copy: Checkout) -> None:
    results = finished_copy.folder / "results" / "smoke"
    command = ("python", "scripts/make_draft.py", *SMOKE)
    assert "No record is missing or out of date" in finished_copy.run(*command).stdout
    (results / "records" / "lora.json").unlink()
    before = contents(results)
    done = finished_copy.run(*command)
    assert done.returncode == 0, done.stdout
    html = (results / "draft" / "report" / "report.html").read_text()
    assert html.count('<div class="missing erratum" role="note">') == 1
    assert "Gathering the parts of lora” has run before" in html
    after = contents(results)
    assert {name: after[name] for name in before} == before
