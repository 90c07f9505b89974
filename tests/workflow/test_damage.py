"""What is deleted, damaged or edited by hand after a run is made again by the next."""

from itertools import cycle

from tests.checkout import SMOKE, Checkout, Finished, contents
from tests.unit.test_altered import cut_off, edited_in_secret, made_a_folder
from tests.workflow.test_reruns import REPORTING

# A file of each kind, and the rule that makes it.
KINDS = {
    "records/graphs.json": "trace_graphs",
    "records/lora.json": "gather_parts",
    "records/fusion/cpu.json": "measure_fusion",
    "parts/pruning/0.json": "prune_model",
    "tables/values.csv": "make_tables",
    "figures/lora_accuracy.svg": "draw_figures",
    "report/claims.json": "judge_claims",
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
