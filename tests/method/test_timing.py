"""The program that tries the rules of timing runs, and finds what was planted."""

import os
import re
import subprocess
import sys


def test_the_rules_of_timing_find_what_was_planted() -> None:
    asked = "--comparisons 1 --processes 2 --budget 0 --rounds 1 --longer 3 --threads 1"
    done = subprocess.run(
        [sys.executable, "-m", "tests.method.check_timing", *asked.split()],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": "scripts"},
    )
    found = re.search(r"ratio with all samples: ([\d.]+)", done.stdout)
    assert found
    assert 2 < float(found[1]) < 4.5
