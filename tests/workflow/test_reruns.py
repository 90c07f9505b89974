"""After a run, exactly what depends on an edit runs again. On the plan that Snakemake makes."""

from __future__ import annotations

import os
import time

import pytest

from tests.workflow.checkout import SMOKE, Finished, sources

RENDERING = {"render_html": 1, "render_pdf": 1, "all": 1}
REPORTING = RENDERING | {"judge_claims": 1, "make_tables": 1, "draw_figures": 1}


def some_file(finished_run: Finished, folder: str, suffix: str) -> str:
    """The first file of a kind, relative to the copy's root."""
    return str(
        min((finished_run.folder / folder).rglob(f"*{suffix}")).relative_to(finished_run.folder)
    )


def test_right_after_a_run_there_is_nothing_to_do_and_it_is_soon_said(
    finished_run: Finished,
) -> None:
    start = time.monotonic()
    assert finished_run.planned() == {}
    assert time.monotonic() - start < 5.0


def test_editing_an_answer_renders_again_and_no_more(finished_run: Finished) -> None:
    template = some_file(finished_run, "report/templates", ".j2")
    with finished_run.edited(template, "{# edited #}\n"):
        assert finished_run.planned() == RENDERING


def test_editing_a_style_renders_again_and_no_more(finished_run: Finished) -> None:
    style = some_file(finished_run, "report/style", ".css")
    with finished_run.edited(style, "/* edited */\n"):
        assert finished_run.planned() == RENDERING


def test_editing_the_layout_of_the_pdf_leaves_the_html_alone(finished_run: Finished) -> None:
    with finished_run.edited("scripts/render_pdf.py", "# edited\n"):
        assert finished_run.planned() == {"render_pdf": 1, "all": 1}


@pytest.mark.parametrize(
    ("module", "rule", "jobs"),
    [
        ("compilation", "measure_compilation", 1),
        ("attention", "measure_fusion", 1),
        ("graphs/passes", "trace_graphs", 1),
        ("mxint8/costs", "measure_mxint8_linear", 1),
    ],
)
def test_editing_an_experiment_measures_that_one_again(
    finished_run: Finished, module: str, rule: str, jobs: int
) -> None:
    with finished_run.edited(f"scripts/labs/{module}.py", "# edited\n"):
        assert finished_run.planned() == REPORTING | {rule: jobs}


def test_editing_what_all_timing_shares_measures_everything_again(finished_run: Finished) -> None:
    with finished_run.edited("scripts/labs/measure/clock.py", "# edited\n"):
        planned = finished_run.planned()
    assert (planned["measure_fusion"], planned["measure_compilation"]) == (1, 1)


def test_changing_one_size_measures_what_has_that_size_again(finished_run: Finished) -> None:
    config = finished_run.folder / "config.yaml"
    original = config.read_text()
    try:
        config.write_text(original.replace("sweep-batch: 2 ", "sweep-batch: 1 ", 1))
        planned = finished_run.planned()
    finally:
        config.write_text(original)
    assert {rule for rule in planned if rule.startswith("measure")} == {"measure_fusion"}


def test_touching_every_file_runs_nothing_again(finished_run: Finished) -> None:
    for name in sources():
        os.utime(finished_run.folder / name)
    assert finished_run.planned() == {}


def test_a_checkout_there_and_back_runs_nothing_again(finished_run: Finished) -> None:
    path = "scripts/labs/attention.py"
    user = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    with finished_run.edited(path, "# on a branch\n"):
        for command in (
            ("switch", "--quiet", "--create", "branch"),
            (*user, "commit", "--quiet", "--all", "--message", "Edit"),
            ("switch", "--quiet", "-"),
        ):
            done = finished_run.run("git", *command)
            assert done.returncode == 0, done.stdout
        assert "# on a branch" not in (finished_run.folder / path).read_text()
        assert finished_run.planned() == {}


def test_rendering_again_after_an_edit_takes_seconds(finished_run: Finished) -> None:
    template = some_file(finished_run, "report/templates", ".j2")
    with finished_run.edited(template, "{# edited #}\n"):
        start = time.monotonic()
        done = finished_run.run("snakemake", "--cores", "4", *SMOKE)
        assert done.returncode == 0, done.stdout[-3000:]
        assert time.monotonic() - start < 15.0
    again = finished_run.run("snakemake", "--cores", "4", *SMOKE)
    assert again.returncode == 0, again.stdout[-3000:]
