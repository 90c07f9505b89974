"""Plant errors into the CUDA kernels, one at a time, and see that the tests find each.

It prints a table, and fails when an error is not found.  Arguments are words of titles, to run
those mutants alone.  It takes minutes, and is no part of the test run.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))
from cuda_on_host.library import build  # noqa: E402
from cuda_on_host.planted import MUTANTS, Mutant  # noqa: E402

PATIENCE = 120  # seconds for the tests of one kernel, which take about ten


def main() -> int:
    """Return 0 when all is found."""
    wanted = [m for m in MUTANTS if not sys.argv[1:] or any(w in m.title for w in sys.argv[1:])]
    survivors = 0
    print("| Planted error | File | Found by |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        csrc, work = Path(scratch) / "csrc", Path(scratch) / "build"
        shutil.copytree(TESTS.parent / "csrc", csrc)
        for mutant in wanted:
            found = judge(mutant, csrc, work)
            survivors += not found
            print(f"| {mutant.title} | `{mutant.file}` | {found or 'NOTHING'} |", flush=True)
    return 1 if survivors else 0


def judge(mutant: Mutant, csrc: Path, work: Path) -> str:
    """Return what finds a mutant, or "" when nothing does; leave the sources as they were."""
    file = csrc / mutant.file
    source = file.read_text()
    if source.count(mutant.old) != 1:
        raise SystemExit(f"{mutant.title}: its place is not in {mutant.file}, or not only once")
    file.write_text(source.replace(mutant.old, mutant.new))
    try:
        return complaint(build(work, csrc, mutant.library), mutant.tests)
    finally:
        file.write_text(source)


def complaint(library: Path, tests: str) -> str:
    """Return what the first test that fails says, in short, or "" when all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=line", str(TESTS / tests)]
    environment = os.environ | {"CUDA_ON_HOST": str(library)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return "a kernel that does not end"
    if done.returncode == 0:
        return ""
    if done.returncode != 1:
        raise SystemExit(f"pytest did not run:\n{done.stdout}{done.stderr}")
    failure = re.search(r"Failure: (.*?)(, at byte \d+)?( \(block .*)?\n", done.stdout)
    return failure[1].replace("|", "or") if failure else "wrong numbers"


if __name__ == "__main__":
    sys.exit(main())
