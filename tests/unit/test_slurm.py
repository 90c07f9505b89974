"""A run knows whether others of its folder live; of a failed job its own last words are shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from labs.setup.slurm import last_lines

SCRIPTS = Path(__file__).parents[2] / "scripts"
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


LOG = """\
Select jobs to execute...
[Sun Nov 22 14:44:25 2026]
Job 0: Timing kernel fusion on cuda
error: no CUDA device

RuleException:
CalledProcessError in file "workflow/rules/experiments/fusion.smk", line 38:
[Sun Nov 22 14:44:29 2026]
Error in rule measure_fusion:
    message: None
At least one job did not complete successfully.
"""


def test_of_a_log_the_last_words_of_the_program_are_shown() -> None:
    assert last_lines(LOG)[-1] == "error: no CUDA device"
    without = LOG.replace("RuleException:\n", "").replace(
        "CalledProcessError", "slurmstepd: killed"
    )
    assert last_lines(without)[-1].startswith("slurmstepd: killed")
    assert last_lines("all is well\n") == ["all is well"]


def test_a_run_is_the_only_one_until_another_starts_and_after_all_have_ended(
    tmp_path: Path,
) -> None:
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
