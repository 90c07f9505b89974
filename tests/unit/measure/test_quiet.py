"""A process that is timed waits for others, but not for ever."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from labs.measure.disturbance import counted
from labs.measure.quiet import QUIET, QuietStart

pytestmark = pytest.mark.skipif(not counted(), reason="this system does not say what others use")


@pytest.fixture
def competitor() -> Iterator[None]:
    """Another process that keeps a core busy."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        yield
        other.kill()


@pytest.mark.usefixtures("competitor")
def test_a_job_waits_for_others_once_and_then_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    quiet = QuietStart(longest=1.0)
    first, second = quiet.wait(), quiet.wait()
    assert first["waited"] == 1.0
    assert second["waited"] == 0.0
    assert min(first["others"], second["others"]) > QUIET
    assert capfd.readouterr().err.count("waiting up to 1 s for them") == 1
