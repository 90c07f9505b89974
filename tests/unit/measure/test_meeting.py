"""How long threads take to meet is measured by meetings that do nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from labs.measure.meeting import meeting_seconds

SCRIPTS = Path(__file__).parents[3] / "scripts"
MEASURE = """
import torch
from labs.measure.meeting import meeting_seconds
torch.set_num_threads(2)
print(meeting_seconds(2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="torch's OpenMP runtime is looked for on Linux")
def test_two_threads_meet_in_no_time() -> None:
    seconds = subprocess.check_output([sys.executable, "-c", MEASURE], cwd=SCRIPTS, text=True)
    assert 0 < float(seconds) < 0.1


def test_one_thread_meets_nobody() -> None:
    assert meeting_seconds(1) is None
