"""A killed run continues where it was."""

import os
import re
import signal

from tests.checkout import REPORT, Checkout, wait_until


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
