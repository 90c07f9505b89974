"""After a run, exactly what depends on an edit runs again, according to Snakemake's plan."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import Finished, sources
from tests.unit.test_sources import SEARCHING, TIMING, TRAINING, USED

RENDERING = {"render_html": 1, "render_pdf": 1, "all": 1}
REPORTING = RENDERING | {"evaluate_records": 1, "draw_figures": 1}


def processor_seconds() -> float:
    """What the processes that have ended took of the processor, whatever ran beside them."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def test_right_after_a_run_the_plan_is_empty_and_quick(
    finished_run: Finished, tmp_path: Path
) -> None:
    (tmp_path / "Snakefile").touch()
    # nvidia-smi lists a GPU here, so torch is asked whether it can use it.
    nothing = ["snakemake", "-n"], [sys.executable, "-c", "import torch"]
    start = processor_seconds()
    for command in nothing:
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    of_nothing = processor_seconds() - start
    start = processor_seconds()
    assert finished_run.planned() == {}
    assert processor_seconds() - start < 2 * of_nothing


@pytest.mark.parametrize(
    ("folder", "suffix", "edit"),
    [("templates", ".j2", "{# edited #}\n"), ("style", ".css", "/* edited */\n")],
)
def test_editing_an_answer_or_a_style_only_renders_again(
    finished_run: Finished, folder: str, suffix: str, edit: str
) -> None:
    root = finished_run.folder
    file = min((root / "report" / folder).rglob(f"*{suffix}"))
    with finished_run.edited(edit, str(file.relative_to(root))):
        assert finished_run.planned() == RENDERING


def test_editing_the_layout_of_the_pdf_leaves_the_html_alone(finished_run: Finished) -> None:
    with finished_run.edited("# edited\n", "scripts/render_pdf.py"):
        assert finished_run.planned() == {"render_pdf": 1, "all": 1}


def test_editing_modules_reruns_the_rules_that_use_them_and_what_needs_these(
    finished_run: Finished,
) -> None:
    paths = [f"scripts/labs/{module}.py" for module, rules in USED.items() if rules]
    with finished_run.edited("# edited\n", *paths):
        planned = finished_run.planned()
    # What searches have found is tested, and trained for longer.
    used = set.union(*USED.values()) | {"gather_parts", *SEARCHING}
    assert planned.keys() - REPORTING.keys() == used
    assert {"render_html", "render_pdf"} <= planned.keys()


def test_editing_what_times_or_a_schema_times_everything_and_trains_nothing_again(
    finished_run: Finished,
) -> None:
    paths = [f"scripts/labs/{module}.py" for module in TIMING]
    paths += ["workflow/schemas/record.schema.yaml", "report/published.yaml"]
    with finished_run.edited("# edited\n", *paths):
        planned = finished_run.planned()
    assert (planned["measure_fusion"], planned["measure_compilation"]) == (1, 1)
    assert planned.keys() & TRAINING == set()


def test_code_that_reports_and_lists_of_settings_measure_nothing_again(
    finished_run: Finished,
) -> None:
    paths = (
        *(f"labs/{module}" for module, rules in USED.items() if not rules),
        "labs/claims/rules",
        "labs/analysis/frame",
        "labs/analysis/tables",
        "labs/claims/judge",
        "labs/evaluation",
        "labs/figures/style",
        "labs/setup/settings",
    )
    with finished_run.edited("# edited\n", *[f"scripts/{path}.py" for path in paths]):
        assert finished_run.planned() == REPORTING


def test_changing_a_size_measures_only_what_uses_it_again(finished_run: Finished) -> None:
    def larger(text: str) -> str:
        return text.replace("sweep-batch: 1,", "sweep-batch: 2,", 1)

    with finished_run.edited(larger, "config.yaml"):
        planned = finished_run.planned()
    assert {rule for rule in planned if rule.startswith("measure")} == {"measure_fusion"}


def test_a_new_content_with_an_old_time_is_noticed(finished_run: Finished) -> None:
    rules = {
        "scripts/labs/experiments/graphs/passes.py": "trace_graphs",
        "mxint_cuda/csrc/groups.h": "build_mxint_cuda",
        "report/templates/title.html.j2": "render_html",
        "report/published.yaml": "evaluate_records",
        "report/lab_sizes.yaml": "evaluate_records",
    }
    with finished_run.edited("\n", *rules):
        for path in rules:
            os.utime(finished_run.folder / path, (0, 0))
        assert set(rules.values()) <= finished_run.planned().keys()


def test_another_version_of_torch_measures_again(finished_run: Finished) -> None:
    def later(text: str) -> str:
        return re.sub(r"^torch==\S+", "torch==99.0", text, flags=re.M)

    with finished_run.edited(later, "envs/requirements.txt"):
        planned = finished_run.planned()
    assert {"measure_fusion", "train_base_model", "build_mxint_cuda"} <= planned.keys()
    assert "fetch_reviews" not in planned


def test_switching_to_a_branch_and_back_or_touching_every_file_runs_nothing_again(
    finished_run: Finished,
) -> None:
    path = "scripts/labs/experiments/fusion/attention/observe.py"
    user = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    with finished_run.edited("# on a branch\n", path):
        for command in (
            ("switch", "--quiet", "--create", "branch"),
            (*user, "commit", "--quiet", "--all", "--message", "Edit"),
            ("switch", "--quiet", "-"),
        ):
            done = finished_run.run("git", *command)
            assert done.returncode == 0, done.stdout
        assert "# on a branch" not in (finished_run.folder / path).read_text()
        for name in sources():
            os.utime(finished_run.folder / name)
        assert finished_run.planned() == {}
