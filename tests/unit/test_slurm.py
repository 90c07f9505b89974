"""On a cluster: what jobs ask for, which runs live, and the last words of a failed job."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from labs.setup.logs import last_lines
from labs.setup.slurm import logs_of
from tests.shipped import SCRIPTS, SHIPPED

ASK = f"""
import sys
sys.path.insert(0, {str(SCRIPTS)!r})
from pathlib import Path
from labs.setup.slurm import is_only_run
print(is_only_run(Path()), flush=True)
sys.stdin.read()
"""


def start(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a run, and return it with its answer; it lives until its input ends."""
    run = subprocess.Popen(
        [sys.executable, "-c", ASK],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout
    return run, run.stdout.readline().strip()


@pytest.mark.parametrize(
    ("comment", "log"),
    [
        ("rule_measure_fusion_wildcards_cpu", "smoke/measure_fusion/cpu.log"),
        ("rule_search_precisions_wildcards_cost_0", "smoke/search_precisions/cost.0.log"),
        ("rule_trace_graphs", "smoke/trace_graphs.log"),
        ("rule_build_mxint_cuda", "build_mxint_cuda.log"),
        ("rule_search_precisions_wildcards_cost_1", None),
    ],
)
def test_a_failed_job_has_its_own_log(comment: str, log: str | None, tmp_path: Path) -> None:
    smoke = (
        "measure_fusion/cpu",
        "measure_fusion/cuda",
        "search_precisions/cost.0",
        "trace_graphs",
    )
    written = [*(f"smoke/{name}" for name in smoke), "quick/trace_graphs", "build_mxint_cuda"]
    for name in (f"{one}.log" for one in written):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [str(file.relative_to(tmp_path)) for file in logs_of(comment, tmp_path / "smoke")]
    assert found == ([log] if log else [])


def test_of_a_log_the_last_lines_that_say_something_are_shown(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(f"one\n\x1b[31mtwo\x1b[0m\n\n\u2713 three\n{'x' * 400}\n")
    assert last_lines(log, 3) == ["two", "\\u2713 three", f"{'x' * 300} [cut]"]
    log.write_text("")
    assert last_lines(log, 3) == []


def test_a_run_is_the_only_one_until_another_starts_and_after_all_ended(tmp_path: Path) -> None:
    first, alone = start(tmp_path)
    second, beside_first = start(tmp_path)
    first.kill()
    first.wait()
    third, beside_second = start(tmp_path)
    for one in (second, third):
        one.kill()
        one.wait()
    fourth, after_all = start(tmp_path)
    fourth.communicate()
    assert [alone, beside_first, beside_second, after_all] == ["True", "False", "False", "True"]


WORKFLOW = Path(__file__).parents[2] / "workflow"


def rules(folder: str = "rules") -> dict[str, str]:
    """The text of each rule in the files of a folder, by name, with what it takes from another."""
    files = sorted((WORKFLOW / folder).rglob("*.smk"), key=lambda path: (len(path.parts), path))
    text = "".join(path.read_text() for path in files)
    start = r"^(?:use rule (\w+) as|rule|checkpoint) (\w+)(?: with)?:\n"
    found: dict[str, dict[str, str]] = {}
    for base, name, body in re.findall(rf"{start}(.*?)(?=^\S|\Z)", text, flags=re.M | re.S):
        own = dict(re.findall(r"^    (\w+:)(.*?)(?=^    \w|\Z)", body, flags=re.M | re.S))
        inherited = found.get(base, {})
        params = inherited.get("params:", "") + own.get("params:", "")
        found[name] = inherited | own | {"params:": params}
    return {
        name: "".join(f"{key}{text}" for key, text in parts.items())
        for name, parts in found.items()
    }


def having(text: str) -> set[str]:
    return {name for name, body in rules().items() if text in body}


def test_timing_jobs_and_no_others_have_a_node_for_themselves_and_are_not_repeated() -> None:
    alone = having("threads: ALL_CORES\n")
    assert alone
    assert having("**whole_node(") == alone
    assert having("retries: 0\n") == alone


def test_jobs_ask_for_a_gpu_if_their_device_is_one() -> None:
    trained = {name for name, body in rules().items() if "device=TRAINING_DEVICE" in body}
    asking = {name for name, body in rules().items() if re.search(r"\], TRAINING_DEVICE\)", body)}
    assert trained - {"training", "timing_of_training"} == asking != set()


def test_each_job_of_an_experiment_asks_for_the_memory_of_one() -> None:
    memory = r'\*\*(?:resources_for|whole_node)\(SIZES\["([\w-]+)"\]\["(?:job|lab)-memory"\]'
    asked = {name: re.findall(memory, body) for name, body in rules("rules/experiments").items()}
    assert all(len(names) == 1 for names in asked.values()), asked
    sections = SHIPPED["presets"]["quick"].items()
    assert {name for (name,) in asked.values()} == {
        name for name, keys in sections if isinstance(keys, dict)
    }
